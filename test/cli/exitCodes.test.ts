import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCanned, runCli } from './runCli.js';
import { commitAll, OTHER_PROJECT, PUSH_SERVER, temporaryProject } from '../temporaryProject.js';

// What the codemod makes of a project is not the question here, so most outcomes are canned; `lifecycle.test.ts` and
// `badInput.test.ts` have real ones.

describe('migrate ends with', () => {
    it('0 after a dry run, and says what to do next', async () => {
        const folder = temporaryProject({ 'src/a.ts': '', 'my server.ts': '' });
        const ended = await runCanned('changes pending', ['migrate', 'src', 'my server.ts'], folder);
        expect(ended).toMatchObject({ code: 0 });
        expect(ended.stderr).toContain('Dry run: nothing was written (2 files would change)');
        expect(ended.stderr).toContain('`mcp-mrtr migrate --write src "my server.ts"`');
    });

    it('0, and the next command has the options of the dry run', async () => {
        const options = ['--effects', 'park', '--package', '@acme/shop', '--summary', 'pull request.md'];
        const ended = await runCanned('changes pending', ['migrate', ...options], temporaryProject({}));
        expect(ended.stderr).toContain(
            '`mcp-mrtr migrate --write --effects park --package @acme/shop --summary "pull request.md"`'
        );
    });

    it('0 when it wrote, and says what is left to do', async () => {
        const ended = await runCanned('changes pending', ['migrate', '--write'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 0 });
        expect(ended.stderr).toMatch(/^Wrote 2 files\.\n- .*@mcp-mrtr-todo[^]*- .*MCP_STATE_KEY/m);
    });

    it('0 where there is no MCP code, and says so', () => {
        const ended = runCli(['migrate'], temporaryProject(OTHER_PROJECT));
        expect(ended).toMatchObject({ code: 0, stdout: '' });
        expect(ended.stderr).toContain('No MCP server code to migrate');
    });

    it('2 with --check while changes are pending', async () => {
        const ended = await runCanned('changes pending', ['migrate', '--check'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 2 });
        expect(ended.stderr).toContain('2 files would change');
    });

    it.each([
        [['migrate', '--wirte'], '--write'],
        [['migrate', '--write', '--check'], 'cannot be used with'],
        [['migrate', '--cwd', 'elsewhere'], 'no such folder'],
        [['migrate', 'src', 'nowhere.ts'], 'nowhere.ts'],
        [['migrate', '--effects', 'twice'], 'once, park, mark'],
        [['migrate', '--write', '--summary', 'nowhere/pr.md'], 'its folder has to be there'],
        [['migrate', '--write', '--summary', 'src'], 'this is a folder'],
        [['migrat'], 'migrate'],
        [[], 'Usage:']
    ])('3 for %j', async (args, hint) => {
        const ended = await runCanned('changes pending', args, temporaryProject(PUSH_SERVER));
        expect(ended).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain(hint);
    });

    it('3 for a path that went away after the start', async () => {
        const folder = temporaryProject({ 'src/a.ts': '' });
        const ended = await runCanned('a path that went away', ['migrate', 'src'], folder);
        expect(ended).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toBe('error: src: no such file or folder. Give a file or folder that exists.\n');
    });

    it('3 for a dirty git tree, only with --write and without --allow-dirty', async () => {
        const folder = temporaryProject({});
        commitAll(folder);
        expect(await runCanned('changes pending', ['migrate', '--write'], folder)).toMatchObject({ code: 0 });

        writeFileSync(join(folder, 'notes.txt'), 'not committed');
        expect(await runCanned('changes pending', ['migrate'], folder)).toMatchObject({ code: 0 });
        const refused = await runCanned('changes pending, and commit fails', ['migrate', '--write'], folder);
        expect(refused).toMatchObject({ code: 3, stdout: '' });
        expect(refused.stderr).toContain('notes.txt');
        expect(refused.stderr).toContain('--allow-dirty');
        const allowed = await runCanned('changes pending', ['migrate', '--write', '--allow-dirty'], folder);
        expect(allowed).toMatchObject({ code: 0 });
    });

    it('4 when writing is refused: named, and not reported as changed', async () => {
        const ended = await runCanned('write refused', ['migrate', '--write', '--json'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stderr).toMatch(/src\/server\.ts .*is read-only/);
        expect(JSON.parse(ended.stdout)).toMatchObject({
            files: [
                { path: 'src/server.ts', changed: false },
                { path: 'mrtr.ts', changed: true }
            ],
            diagnostics: [{ code: 'write-refused', file: 'src/server.ts' }]
        });
    });

    it('70 for a bug of ours: asks to report it, with the stack', async () => {
        const ended = await runCanned('a bug', ['migrate'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 70, stdout: '' });
        expect(ended.stderr).toContain('Please report it');
        expect(ended.stderr).toMatch(/TypeError: Cannot read[^]*\n {4}at /);
    });
});

describe('a dry run', () => {
    it.each([[['migrate']], [['migrate', '--diff']], [['migrate', '--json']], [['migrate', '--check']]])(
        'does not reach the code that writes: %j',
        async args => {
            const ended = await runCanned('changes pending, and commit fails', args, temporaryProject({}));
            expect(ended.code).not.toBe(70);
        }
    );
});

describe('check ends with', () => {
    it('0 without findings', async () => {
        const ended = await runCanned('nothing to do', ['check'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 0, stdout: '' });
    });

    it.each([
        [['check', '--level', 'fatal'], 'Allowed choices'],
        [['check', '--format', 'xml'], 'Allowed choices'],
        [['check', 'nowhere'], 'nowhere']
    ])('3 for %j', async (args, hint) => {
        const ended = await runCanned('nothing to do', args, temporaryProject({}));
        expect(ended).toMatchObject({ code: 3, stdout: '' });
        expect(ended.stderr).toContain(hint);
    });

    it.each([
        ['note', 3],
        ['warning', 2],
        ['error', 1]
    ])('1 for findings, those at or above --level %s', async (level, count) => {
        const args = ['check', '--json', '--level', level];
        const ended = await runCanned('one finding of every level', args, temporaryProject({}));
        expect(ended).toMatchObject({ code: 1 });
        expect((JSON.parse(ended.stdout) as { findings: unknown[] }).findings).toHaveLength(count);
    });

    it('4 for a file that cannot be read, findings or not', async () => {
        const ended = await runCanned('a finding and an unreadable file', ['check'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stdout).toContain('src/a.ts\n  3:5  error');
        expect(ended.stdout).toContain('src/b.ts');
    });

    it('70 for a bug of ours', async () => {
        expect(await runCanned('a bug', ['check'], temporaryProject({}))).toMatchObject({ code: 70 });
    });
});

describe('the process', () => {
    it('ends with the code of the command line', () => {
        const folder = temporaryProject(PUSH_SERVER);
        rmSync(join(folder, 'src'), { recursive: true });
        const ended = runCli(['migrate', 'src'], folder);
        expect(ended).toEqual({
            code: 3,
            stdout: '',
            stderr: `error: No such file or folder in ${folder}:\n  src\n`
        });
    });
});
