import { describe, expect, it } from 'vitest';
import { main } from '../../cli/main.js';
import { exampleMigration } from './exampleMigration.js';
import { runCanned, runCli } from './runCli.js';
import { OTHER_PROJECT, PUSH_SERVER, temporaryProject } from '../temporaryProject.js';

describe('--json prints exactly one document on stdout', () => {
    it.each([
        [['migrate', '--json'], 0],
        [['migrate', '--json', '--check'], 2],
        [['check', '--json'], 1],
        [['check', '--format', 'json'], 1]
    ])('%j', (args, code) => {
        const ended = runCli(args, temporaryProject(PUSH_SERVER));
        expect(ended.code).toBe(code);
        expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1 });
    });

    it.each([[['migrate', '--json']], [['check', '--json']]])('%j without MCP code', args => {
        const ended = runCli(args, temporaryProject(OTHER_PROJECT));
        expect(ended.code).toBe(0);
        expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1, diagnostics: expect.any(Array) as unknown[] });
    });

    it.each([
        [['migrate', '--json', 'nowhere'], 'nowhere'],
        [['migrate', '--json', '--nope'], '--nope'],
        [['migrate', '--json', '--diff'], 'cannot be used with'],
        [['check', '--format=json', '--level', 'fatal'], 'fatal']
    ])('%j, which is refused', (args, hint) => {
        const ended = runCli(args, temporaryProject(PUSH_SERVER));
        expect(ended.code).toBe(3);
        expect(JSON.parse(ended.stdout)).toEqual({
            version: 1,
            error: { exitCode: 3, message: expect.stringContaining(hint) as string }
        });
        expect(ended.stderr).toContain(hint);
    });

    it('for a bug of ours', () => {
        const ended = runCanned('bug', ['migrate', '--json'], temporaryProject({}));
        expect(JSON.parse(ended.stdout)).toMatchObject({ version: 1, error: { exitCode: 70 } });
    });
});

describe('help', () => {
    it('goes to stdout with its exit codes', () => {
        for (const command of ['migrate', 'check']) {
            const ended = runCli([command, '--help'], temporaryProject({}));
            expect(ended).toMatchObject({ code: 0, stderr: '' });
            expect(ended.stdout).toMatch(/Output:[^]*Global Options:[^]*Exit codes:\n {2}0 /);
        }
    });

    it('prints the version of the package', () => {
        expect(runCli(['--version'], temporaryProject({})).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    });
});

describe('colour', () => {
    async function colourful(args: string[], isTTY: boolean, env: NodeJS.ProcessEnv = {}): Promise<boolean> {
        let printed = '';
        const stream = { write: (text: string) => (printed += text), isTTY };
        const codemod = {
            migrate: () => exampleMigration(),
            check: () => ({ findings: [], failures: [] }),
            commit: () => ({ written: [], refused: [] })
        };
        const loadCodemod = () => Promise.resolve(codemod);
        await main(['migrate', ...args], { stdout: stream, stderr: stream, env, cwd: process.cwd(), loadCodemod });
        expect(printed).toContain('src/server.ts');
        return printed.includes('\u001b[');
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
