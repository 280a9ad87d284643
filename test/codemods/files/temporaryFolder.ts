import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder with these files (text or bytes), gone when the test ends. */
export function temporaryFolder(files: Record<string, string | Uint8Array> = {}): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-mrtr-codemods-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const [path, content] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), content);
    }
    return folder;
}
