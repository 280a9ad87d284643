import { describe, expect, it } from 'vitest';
import { runCanned } from './runCli.js';
import { temporaryProject } from '../temporaryProject.js';

describe('--json prints exactly one document on stdout', () => {
    it.each([
        ['changes pending', ['migrate', '--json'], 0],
        ['changes pending', ['migrate', '--json', '--check'], 2],
        ['write refused', ['migrate', '--json', '--write'], 4],
        ['nothing to do', ['migrate', '--json'], 0],
        ['one finding of every level', ['check', '--json'], 1],
        ['one finding of every level', ['check', '--format', 'json'], 1],
        ['nothing to do', ['check', '--json'], 0]
    ] as const)('%s: %j', async (canned, args, code) => {
        const ended = await runCanned(canned, [...args], temporaryProject({}));
        expect(ended.code).toBe(code);
        expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1, diagnostics: expect.any(Array) as unknown[] });
    });

    it.each([
        [['migrate', '--json', 'nowhere'], 'nowhere'],
        [['migrate', '--json', '--nope'], '--nope'],
        [['migrate', '--json', '--diff'], 'cannot be used with'],
        [['check', '--format=json', '--level', 'fatal'], 'fatal']
    ])('%j, which is refused', async (args, hint) => {
        const ended = await runCanned('changes pending', args, temporaryProject({}));
        expect(ended.code).toBe(3);
        expect(JSON.parse(ended.stdout)).toEqual({
            version: 1,
            error: { exitCode: 3, message: expect.stringContaining(hint) as string }
        });
        expect(ended.stderr).toContain(hint);
    });

    it('for a bug of ours', async () => {
        const ended = await runCanned('a bug', ['migrate', '--json'], temporaryProject({}));
        expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1, error: { exitCode: 70 } });
    });
});

describe('help', () => {
    it.each(['migrate', 'check'])('of %s goes to stdout, with its exit codes', async command => {
        const ended = await runCanned('nothing to do', [command, '--help'], temporaryProject({}));
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        expect(ended.stdout).toMatch(/Output:[^]*Global Options:[^]*Exit codes:\n {2}0 /);
    });

    it('prints the version of the package', async () => {
        const ended = await runCanned('nothing to do', ['--version'], temporaryProject({}));
        expect(ended.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    });
});

describe('colour', () => {
    async function colourful(args: string[], isTTY: boolean, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
        const terminal = { isTTY, env };
        const { stdout } = await runCanned('changes pending', ['migrate', ...args], temporaryProject({}), terminal);
        expect(stdout).toContain('src/server.ts');
        return stdout.includes('\u001b[');
    }

    it('is there on a terminal', async () => {
        expect(await colourful([], true)).toBe(true);
        expect(await colourful(['--diff'], true)).toBe(true);
    });

    it('is not there in a pipe, with NO_COLOR or with --no-color', async () => {
        expect(await colourful([], false)).toBe(false);
        expect(await colourful([], true, { NO_COLOR: '1' })).toBe(false);
        expect(await colourful(['--no-color'], true)).toBe(false);
    });

    it('follows no-color.org: an empty NO_COLOR says nothing', async () => {
        expect(await colourful([], true, { NO_COLOR: '' })).toBe(true);
    });

    it('is never in the JSON', async () => {
        expect(await colourful(['--json'], true)).toBe(false);
    });
});
