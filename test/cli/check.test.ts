import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { main } from '../../cli/main.js';
import { readText, suiteProject, temporaryProject } from '../temporaryProject.js';
import type { Ended } from './runCli.js';

const SERVER = `import { appendFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

const server = new McpServer({ name: 'shop', version: '1.0.0' });

server.registerTool('refund', {}, async () => {
    appendFileSync('orders.log', 'refund');
    const answer = await server.server.elicitInput({
        message: 'Refund?',
        requestedSchema: { type: 'object', properties: {} }
    });
    return { content: [{ type: 'text', text: answer.action }] };
});

server.registerTool('greet', {}, async () => {
    // mcp-mrtr-ignore elicit-input only 2025-era clients call it
    const answer = await server.server.elicitInput({ message: 'Name?', requestedSchema: { type: 'object', properties: {} } });
    // mcp-mrtr-ignore once-latch there was a latch here
    return { content: [{ type: 'text', text: answer.action }] };
});
`;

const FILES = { 'package.json': '{ "name": "shop", "type": "module" }\n', 'src/server.ts': SERVER };

// Of one project with the same files the types are read once; each test would take seconds without.
const cache = mkdtempSync(join(tmpdir(), 'mcp-mrtr-cache-'));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

/** Runs the command line in this process, over the real codemod. */
async function run(args: string[], cwd: string): Promise<Ended> {
    const printed = { stdout: '', stderr: '' };
    const stream = (name: keyof typeof printed) => ({ write: (text: string) => (printed[name] += text), isTTY: false });
    const code = await main(args, {
        stdout: stream('stdout'),
        stderr: stream('stderr'),
        env: { XDG_CACHE_HOME: cache },
        cwd,
        loadCodemod: () => import('../../codemods/index.js')
    });
    return { code, ...printed };
}

describe('mcp-mrtr check', { timeout: 120_000 }, () => {
    const folder = suiteProject(FILES);

    it('shows each finding with its code and the places that belong to it', async () => {
        const { code, stdout } = await run(['check', '--level', 'error'], folder);
        expect(code).toBe(1);
        expect(stdout).toBe(`src/server.ts
  8:26  error  \`server.server.elicitInput\` sends a request to the client, which revision 2026-07-28 does not allow.  elicit-input
      7 |     appendFileSync('orders.log', 'refund');
    > 8 |     const answer = await server.server.elicitInput({
        |                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^
      src/server.ts:6:1  tool refund leads to it

1 error in 1 file
mcp-mrtr explain <rule> says why, and what to do.
`);
    });

    it('reports hazards and stale suppressions as warnings, by rule in JSON', async () => {
        const { stdout } = await run(['check', '--json'], folder);
        expect(JSON.parse(stdout)).toMatchObject({
            version: 1,
            suppressed: [{ rule: 'elicit-input', line: 17, suppressed: { reason: 'only 2025-era clients call it' } }],
            summary: { byRule: { 'effect-before-ask': 1, 'elicit-input': 1, 'unused-suppression': 1 } }
        });
    });

    it('limits the report to rules, files and levels', async () => {
        const rules = async (...args: string[]): Promise<string[]> => {
            const { stdout } = await run(['check', '--json', ...args], folder);
            return (JSON.parse(stdout) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule);
        };
        expect(await rules('--rule', 'effect-before-ask,once-latch')).toEqual(['effect-before-ask']);
        expect(await rules('--ignore', 'src/**')).toEqual([]);
        expect(await rules('--level', 'error')).toEqual(['elicit-input']);
    });

    it('lets --max-warnings pass, and no error with them', async () => {
        const only = ['check', '--rule', 'effect-before-ask', '--max-warnings'];
        expect((await run([...only, '1'], folder)).code).toBe(0);
        expect((await run([...only, '0'], folder)).code).toBe(1);
        expect((await run(['check', '--max-warnings', '9'], folder)).code).toBe(1);
    });

    it('writes annotations for GitHub', async () => {
        const { stdout } = await run(['check', '--format', 'github', '--rule', 'effect-before-ask'], folder);
        expect(stdout).toMatch(
            /^::warning file=src\/server.ts,line=7,endLine=7,col=5,endColumn=43,title=effect-before-ask::appendFileSync/
        );
    });

    it('writes SARIF that its schema accepts, with rules, fingerprints, related places and suppressions', async () => {
        await run(['check', '--format', 'sarif', '--output', 'out/mrtr.sarif'], folder);
        const log = JSON.parse(readText(folder, 'out/mrtr.sarif')) as SarifLog;
        expect(schemaErrors(log)).toEqual([]);
        expect(schemaErrors({ version: '2.1.0' })).not.toEqual([]);
        const [{ tool, results }] = log.runs;
        const effect = results.find(({ ruleId }) => ruleId === 'effect-before-ask');
        expect(tool.driver.rules[effect!.ruleIndex]!.id).toBe('effect-before-ask');
        expect(effect!.relatedLocations).toHaveLength(1);
        expect(new Set(results.map(one => one.partialFingerprints['mcpMrtr/v1'])).size).toBe(results.length);
        expect(results.filter(one => one.suppressions)).toMatchObject([{ ruleId: 'elicit-input' }]);
    });

    it('gives the same finding the same fingerprint when lines above it come', async () => {
        const print = async (cwd: string): Promise<string> => {
            const { stdout } = await run(['check', '--json', '--level', 'error'], cwd);
            return (JSON.parse(stdout) as { findings: [{ fingerprint: string }] }).findings[0].fingerprint;
        };
        const moved = temporaryProject({ ...FILES, 'src/server.ts': `// a line\n\n${SERVER}` });
        expect(await print(moved)).toBe(await print(folder));
    });

    it('reports nothing that a baseline counts, and everything of a file that has more', async () => {
        const project = temporaryProject(FILES);
        expect((await run(['check', '--update-baseline'], project)).code).toBe(0);
        expect(JSON.parse(readText(project, 'mcp-mrtr-baseline.json'))).toMatchObject({
            version: 1,
            counts: { 'elicit-input': { 'src/server.ts': 1 } }
        });
        const known = ['check', '--baseline', 'mcp-mrtr-baseline.json'];
        expect((await run(known, project)).code).toBe(0);
        const lower = JSON.stringify({ version: 1, counts: { 'effect-before-ask': { 'src/server.ts': 1 } } });
        const other = temporaryProject({ ...FILES, 'mcp-mrtr-baseline.json': lower });
        // The counts of a baseline that is there only fall.
        expect((await run([...known, '--update-baseline'], other)).code).toBe(1);
        expect(JSON.parse(readText(other, 'mcp-mrtr-baseline.json'))).toEqual(JSON.parse(lower));
    });

    it('removes stale suppressions with --fix, and nothing else', async () => {
        const project = temporaryProject(FILES);
        const { stderr } = await run(['check', '--fix', '--rule', 'unused-suppression'], project);
        expect(stderr).toContain('Fixed 1 file.');
        expect(readText(project, 'src/server.ts')).toBe(
            SERVER.replace('    // mcp-mrtr-ignore once-latch there was a latch here\n', '')
        );
    });

    it('takes level, rules and ignored files from a configuration', async () => {
        const check = { rules: { 'elicit-input': 'note', 'unused-suppression': 'off' }, ignore: ['*.test.ts'] };
        const project = temporaryProject({ ...FILES, 'mcp-mrtr.config.json': JSON.stringify({ check }) });
        const { stdout } = await run(['check', '--json'], project);
        expect(JSON.parse(stdout)).toMatchObject({ summary: { byRule: { 'effect-before-ask': 1 } } });
    });

    it.each([
        ['{ "check": {\n  "lvel": "note"\n} }', 'mcp-mrtr.config.json:2:3 lvel is no option here'],
        ['{ "check": { "rules": { "elicit": "off" } } }', 'no rule is called elicit; do you mean elicit-input?'],
        ['{ "check": { "level": "all" } }', 'level has to be one of error, warning, note'],
        ['{ "check": ', 'mcp-mrtr.config.json:1:11 ']
    ])('says where the configuration %j is wrong', async (text, message) => {
        const project = temporaryProject({ ...FILES, 'mcp-mrtr.config.json': text });
        const { code, stderr } = await run(['check'], project);
        expect(code).toBe(3);
        expect(stderr).toContain(message);
    });

    it('finds the same from its cache, and anew when a text changes', async () => {
        const project = temporaryProject(FILES);
        const first = await run(['check', '--json'], project);
        expect(await run(['check', '--json'], project)).toEqual(first);
        writeFileSync(join(project, 'src/server.ts'), SERVER.replace("appendFileSync('orders.log', 'refund');", ''));
        const changed = await run(['check', '--json'], project);
        expect(JSON.parse(changed.stdout)).toMatchObject({ summary: { byRule: { 'elicit-input': 1 } } });
        expect(changed.stdout).not.toContain('effect-before-ask');
        expect(await run(['check', '--json', '--no-cache'], project)).toEqual(changed);
    });
});

describe('mcp-mrtr explain', () => {
    it('prints the page of a rule, and the list of all', async () => {
        expect((await run(['explain', 'once-latch'], '.')).stdout).toMatch(/^# once-latch\n[^]*## Reported/);
        expect((await run(['explain'], '.')).stdout).toContain('| effect-before-ask | warning |');
    });

    it('says what there is where a name is wrong', async () => {
        expect(await run(['explain', 'effect-before'], '.')).toMatchObject({
            code: 3,
            stderr: expect.stringContaining('do you mean effect-before-ask?') as string
        });
    });
});

interface SarifLog {
    runs: [
        {
            tool: { driver: { rules: { id: string }[] } };
            results: {
                ruleId: string;
                ruleIndex: number;
                relatedLocations?: unknown[];
                partialFingerprints: Record<string, string>;
                suppressions?: unknown[];
            }[];
        }
    ];
}

/** As much of ajv as is used; its own types do not fit its CommonJS form under this resolution. */
type AjvClass = new (options: object) => {
    compile(schema: object): ((log: unknown) => boolean) & { errors?: unknown[] | null };
};

/** What the schema of SARIF 2.1.0 has against a log. */
function schemaErrors(log: unknown): unknown[] {
    const require = createRequire(import.meta.url);
    const { default: Validator } = require('ajv-draft-04') as { default: AjvClass };
    const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as object;
    // The schema has a pattern that is none under the `u` flag, and formats that need a package of their own.
    const ajv = new Validator({ strict: false, unicodeRegExp: false, validateFormats: false, allErrors: true });
    const validate = ajv.compile(schema);
    return validate(log) ? [] : (validate.errors ?? []);
}
