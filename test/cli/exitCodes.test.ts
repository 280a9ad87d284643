import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCanned, runCli } from './runCli.js';
import { commitAll, OTHER_PROJECT, PUSH_SERVER, readText, temporaryProject } from '../temporaryProject.js';

const BROKEN = {
    'src/broken.ts': `import '@modelcontextprotocol/sdk/server/mcp.js';\nserver.elicitInput({ message: ;\n`
};

describe('migrate ends with', () => {
    it('0 after a dry run, which writes nothing and says what to do next', () => {
        const folder = temporaryProject(PUSH_SERVER);
        const ended = runCli(['migrate', 'src'], folder);
        expect(ended).toMatchObject({ code: 0 });
        expect(ended.stderr).toContain('Dry run: nothing was written');
        expect(ended.stderr).toContain('mcp-mrtr migrate --write src');
        expect(readText(folder, 'src/server.ts')).toBe(PUSH_SERVER['src/server.ts']);
    });

    it('0 when it wrote, and the second run has nothing to do', () => {
        const folder = temporaryProject(PUSH_SERVER);
        expect(runCli(['migrate', '--write'], folder)).toMatchObject({ code: 0 });
        expect(readText(folder, 'src/server.ts')).toContain('ctx.need(');
        expect(runCli(['migrate', '--check'], folder)).toMatchObject({ code: 0 });
    });

    it('0 where there is no MCP code, and says so', () => {
        const ended = runCli(['migrate'], temporaryProject(OTHER_PROJECT));
        expect(ended).toMatchObject({ code: 0, stdout: '' });
        expect(ended.stderr).toContain('No MCP server code to migrate');
    });

    it('2 with --check while changes are pending, writing nothing', () => {
        const folder = temporaryProject(PUSH_SERVER);
        const ended = runCli(['migrate', '--check'], folder);
        expect(ended).toMatchObject({ code: 2 });
        expect(ended.stderr).toContain('would change');
        expect(readText(folder, 'src/server.ts')).toBe(PUSH_SERVER['src/server.ts']);
    });

    it.each([
        [['migrate', '--wirte'], '--write'],
        [['migrate', '--write', '--check'], 'cannot be used with'],
        [['migrate', '--cwd', 'elsewhere'], 'no such folder'],
        [['migrate', 'src', 'nowhere.ts'], 'nowhere.ts'],
        [['migrat'], 'migrate'],
        [[], 'Usage:']
    ])('3 for %j', (args, hint) => {
        const ended = runCli(args, temporaryProject(PUSH_SERVER));
        expect(ended).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain(hint);
    });

    it('3 for a dirty git tree, only with --write and without --allow-dirty', () => {
        const folder = temporaryProject(PUSH_SERVER);
        commitAll(folder);
        writeFileSync(join(folder, 'notes.txt'), 'not committed');
        expect(runCli(['migrate'], folder)).toMatchObject({ code: 0 });

        const refused = runCli(['migrate', '--write'], folder);
        expect(refused).toMatchObject({ code: 3, stdout: '' });
        expect(refused.stderr).toContain('notes.txt');
        expect(refused.stderr).toContain('--allow-dirty');
        expect(readText(folder, 'src/server.ts')).toBe(PUSH_SERVER['src/server.ts']);

        expect(runCli(['migrate', '--write', '--allow-dirty'], folder)).toMatchObject({ code: 0 });
    });

    it('0 with --write in a clean git tree', () => {
        const folder = temporaryProject(PUSH_SERVER);
        commitAll(folder);
        expect(runCli(['migrate', '--write'], folder)).toMatchObject({ code: 0 });
    });

    it('4 when a file has a syntax error: named and skipped, the rest done', () => {
        const folder = temporaryProject({ ...PUSH_SERVER, ...BROKEN });
        const ended = runCli(['migrate', '--write'], folder);
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stdout).toContain('src/broken.ts');
        expect(readText(folder, 'src/broken.ts')).toBe(BROKEN['src/broken.ts']);
        expect(readText(folder, 'src/server.ts')).toContain('ctx.need(');
    });

    it('4 when a file is read-only: named, nothing of its group written', () => {
        const folder = temporaryProject(PUSH_SERVER);
        chmodSync(join(folder, 'src/server.ts'), 0o444);
        const ended = runCli(['migrate', '--write'], folder);
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stdout).toContain('src/server.ts');
        expect(readText(folder, 'src/server.ts')).toBe(PUSH_SERVER['src/server.ts']);
    });

    it('4 when writing is refused: named, and not reported as changed', () => {
        const folder = temporaryProject({});
        const ended = runCanned('refused-write', ['migrate', '--write', '--json'], folder);
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stderr).toMatch(/src\/server\.ts .*the file is read-only/);
        expect(JSON.parse(ended.stdout)).toMatchObject({
            files: [
                { path: 'src/server.ts', changed: false },
                { path: 'mrtr.ts', changed: true }
            ],
            diagnostics: [{ code: 'write-refused', file: 'src/server.ts' }]
        });
    });

    it('70 for a bug of ours: asks to report it, with the stack', () => {
        const ended = runCanned('bug', ['migrate'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 70, stdout: '' });
        expect(ended.stderr).toContain('Please report it');
        expect(ended.stderr).toMatch(/TypeError: Cannot read[^]*\n {4}at /);
    });
});

describe('a dry run', () => {
    it.each([[['migrate']], [['migrate', '--diff']], [['migrate', '--json']], [['migrate', '--check']]])(
        'does not reach the code that writes: %j',
        args => {
            expect(runCanned('write-in-dry-run', args, temporaryProject({})).code).not.toBe(70);
        }
    );
});

describe('check ends with', () => {
    it('1 for findings, named with file, line and column', () => {
        const ended = runCli(['check'], temporaryProject(PUSH_SERVER));
        expect(ended).toMatchObject({ code: 1 });
        expect(ended.stdout).toMatch(/^src\/server\.ts:7:\d+ /m);
    });

    it('0 without findings', () => {
        expect(runCli(['check'], temporaryProject(OTHER_PROJECT))).toMatchObject({ code: 0, stdout: '' });
    });

    it('0 on migrated code', () => {
        const folder = temporaryProject(PUSH_SERVER);
        runCli(['migrate', '--write'], folder);
        expect(runCli(['check'], folder)).toMatchObject({ code: 0, stdout: '' });
    });

    it.each([
        [['check', '--level', 'fatal'], 'Allowed choices'],
        [['check', '--format', 'xml'], 'Allowed choices'],
        [['check', 'nowhere'], 'nowhere']
    ])('3 for %j', (args, hint) => {
        const ended = runCli(args, temporaryProject(PUSH_SERVER));
        expect(ended).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain(hint);
    });

    it('4 for a file that cannot be read, findings or not', () => {
        const ended = runCanned('unreadable-file', ['check'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stdout).toContain('src/a.ts:3:5');
        expect(ended.stdout).toContain('src/b.ts');
    });

    it('70 for a bug of ours', () => {
        expect(runCanned('bug', ['check'], temporaryProject({}))).toMatchObject({ code: 70 });
    });
});

describe('the exit code of a folder', () => {
    it('does not depend on how the folder is named', () => {
        const folder = temporaryProject(PUSH_SERVER);
        const elsewhere = temporaryProject({});
        const inside = runCli(['migrate', '--json'], folder);
        expect(runCli(['migrate', '--json', folder], folder).stdout).toBe(inside.stdout);
        expect(runCli(['migrate', '--json', '--cwd', folder], elsewhere).stdout).toBe(inside.stdout);
    });

    it('is 3 when the folder was removed', () => {
        const folder = temporaryProject(PUSH_SERVER);
        rmSync(join(folder, 'src'), { recursive: true });
        expect(runCli(['migrate', 'src'], folder)).toMatchObject({ code: 3 });
    });
});
