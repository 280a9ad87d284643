import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { palette } from '../../../cli/palette.js';
import { diff } from '../../../cli/reporters/migration/diff.js';
import { exampleMigration } from '../exampleMigration.js';
import { temporaryProject } from '../../temporaryProject.js';

describe('the diff of a migration', () => {
    it('lists files in order, a new one against /dev/null', () => {
        expect(diff(exampleMigration(), palette(false))).toBe(`--- /dev/null
+++ b/mrtr.ts
@@ -0,0 +1,1 @@
+new
--- a/src/server.ts
+++ b/src/server.ts
@@ -1,3 +1,3 @@
 one
-two
+2
 three
`);
    });

    it('is a patch that git applies, byte for byte: CRLF, no final newline, new files', () => {
        const texts: [string, string | undefined, string][] = [
            ['crlf.ts', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
            ['src/open-end.ts', '\tone\n\ttwo', '\tone\n\t2'],
            ['mrtr.ts', undefined, 'export {};\n']
        ];
        const before = texts.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
        const folder = temporaryProject(Object.fromEntries(before));
        const changes = texts.map(([path, text, after]) => ({
            path,
            absolutePath: join(folder, path),
            before: text,
            after,
            group: 'g'
        }));

        const input = diff(exampleMigration({ changes }), palette(false));
        // Outside a repository `git apply` patches the working folder; a repository further up must not take over.
        const env = { ...process.env, GIT_CEILING_DIRECTORIES: folder };
        execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input, env });

        for (const [path, , after] of texts) {
            expect(existsSync(join(folder, path))).toBe(true);
            expect(readFileSync(join(folder, path), 'utf8')).toBe(after);
        }
    });
});
