import { describe, expect, it } from 'vitest';
import { palette } from '../../../cli/palette.js';
import { markdown } from '../../../cli/reporters/migration/markdown.js';
import { exampleMigration } from '../exampleMigration.js';

describe('the summary for a pull request', () => {
    it('says what changed, what to look at and what is left', () => {
        const outcome = exampleMigration({
            diagnostics: [
                { level: 'info', code: 'manifest', message: 'added mcp-mrtr ^0.1.0', file: 'package.json' },
                { level: 'warning', code: 'entry-left', message: 'The server stays', file: 'src/http.ts', line: 3 }
            ]
        });
        const text = markdown(outcome, palette(false));
        expect(text).toContain('2 calls of 4 to the client now ask through `ctx.need`');
        const sections = text.split('\n### ').map(part => part.trimEnd());
        expect(sections[1]).toBe('Please look at\n\n- `src/server.ts:7` `server.server.elicitInput`: found by name');
        expect(sections[2]).toMatch(/^Left to do by hand\n\n- `src\/server\.ts:40` .*an effect comes before the ask\n/);
        expect(sections[2]).toContain('- `src/http.ts:3`: The server stays');
        expect(sections[4]).toBe('Packages\n\n- `package.json`: added mcp-mrtr ^0.1.0');
    });
});
