import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

import { RULES } from '../../../shim/verify-replay/findings.js';
import { LIMITS } from '../../../shim/verify-replay/limits.js';
import { repoRoot } from '../../repo.js';
import { installedProject } from './installed.js';
import { IMPORT, play, playStdio, readReport } from './play.js';
import type { Line, Played } from './play.js';

const servers = fileURLToPath(new URL('servers', import.meta.url));
const folder = installedProject(servers);

const TOOLS = [
    ...['before', 'once', 'beside', 'through', 'callback', 'reads', 'web', 'processes', 'timer', 'volatile', 'lost'],
    ...[
        'reordered',
        'onlyReplay',
        'throughPackage',
        'pooled',
        'badKey',
        'page',
        'guarded',
        'abandoned',
        'several',
        'fails'
    ],
    ...['throws', 'packagePool', 'ended', 'stream', 'waits', 'clocks', 'structured', 'locked', 'mistaken'],
    ...['page://1', 'page://2', 'quiet', 'parked']
];

/** `rule api target file:line`, of what the report has to say of a tool. */
function findingsOf(report: readonly Line[], tool: string): string[] {
    return report
        .filter(line => line.type === 'finding' && line.handler === `Tool '${tool}'`)
        .map(({ rule, api, target, file, line }) => [rule, api, target, file && `${file}:${line}`])
        .map(parts => parts.filter(part => part !== undefined).join(' '));
}

/** The line of a server that holds this text. */
function lineOf(text: string, file = 'shop.mjs'): number {
    const lines = readFileSync(join(servers, file), 'utf8').split('\n');
    return lines.findIndex(line => line.includes(text)) + 1;
}

function summaryOf(report: readonly Line[]): Line {
    return report.findLast(({ type }) => type === 'summary')!;
}

describe('a server with all that can go wrong', () => {
    let watched: Played;
    let report: Line[];
    const found = (tool: string) =>
        findingsOf(report, tool).map(finding => finding.replaceAll(/:\d+\/(?=\S* shop)/g, ':port/'));

    beforeAll(async () => {
        watched = await playStdio(folder, 'shop.mjs', TOOLS, { output: 'shop.jsonl' });
        report = readReport(folder, 'shop.jsonl');
    });

    it('has the results and errors that it has without the check, and nothing on stderr but its own lines', async () => {
        for (const left of ['guarded.txt']) rmSync(join(folder, left));
        const alone = await playStdio(folder, 'shop.mjs', TOOLS, { nodeArgs: [] });
        expect(watched.results).toEqual(alone.results);
        expect(watched.stderr).toBe(alone.stderr);
        expect(Object.values(watched.results).filter(text => text.startsWith('error'))).toHaveLength(1);
    });

    it('is told of an effect before an ask, with its line, and that it has happened again', () => {
        const at = `shop.mjs:${lineOf(`writeFileSync('before.txt'`)}`;
        expect(found('before')).toEqual([
            `effect-before-ask fs.writeFileSync before.txt ${at}`,
            `effect-repeated fs.writeFileSync before.txt ${at}`
        ]);
        const [first] = report.filter(line => line.handler === `Tool 'before'`);
        expect(first).toMatchObject({
            level: 'problem',
            attempt: 1,
            key: 'confirm',
            message:
                `fs.writeFileSync (before.txt) runs before 'confirm' is asked, outside of ctx.once: ` +
                `it would happen again in every round`
        });
        expect(first?.['advice']).toContain(`ctx.once('<key>', () => …)`);
    });

    it('is told nothing of effects inside of once, behind the last ask, or of a handler that asks nothing or waits in memory', () => {
        for (const tool of ['once', 'several', 'quiet', 'parked', 'badKey']) expect(found(tool)).toEqual([]);
    });

    it('is told of an effect beside an ask', () => {
        expect(found('beside')[0]).toBe(
            `effect-beside-ask fs.promises.appendFile beside.txt shop.mjs:${lineOf(`appendFile('beside.txt'`)}`
        );
    });

    it('is told the line that does it, and the ones that lead there', () => {
        const [effect] = report.filter(line => line.handler === `Tool 'through'`);
        expect(effect).toMatchObject({ file: 'ledger.mjs', line: lineOf('await appendFile', 'ledger.mjs') });
        expect(effect?.['stack']).toEqual([
            expect.stringMatching(/^ledger\.mjs:/),
            expect.stringContaining(`shop.mjs:${lineOf(`record('through')`)}:`),
            expect.stringMatching(/^shop\.mjs:/)
        ]);
    });

    it('is told its own line where a package does it, and nothing of the clock that the package reads', () => {
        const [effect, ...others] = report.filter(line => line.handler === `Tool 'throughPackage'`);
        expect(effect).toMatchObject({ via: 'notes', file: 'shop.mjs', line: lineOf(`note('package.txt')`) });
        expect(others.map(line => line.rule)).toEqual(['effect-repeated']);
    });

    it('is told of callbacks, promisified functions and file handles', () => {
        expect(problems(found('callback'))).toEqual([
            expect.stringContaining('fs.writeFile callback.txt'),
            expect.stringContaining('fs.mkdirSync folder'),
            expect.stringContaining('fs.promises.open handle.txt'),
            expect.stringContaining('FileHandle.write shop')
        ]);
    });

    it('is told of effects above a page that the handler throws for', () => {
        expect(found('page')[0]).toBe(
            `effect-before-ask fs.writeFileSync page.txt shop.mjs:${lineOf(`writeFileSync('page.txt'`)}`
        );
        const [effect] = report.filter(line => line.handler === `Tool 'page'`);
        expect(effect?.['message']).toContain(`runs before 'open-url' is asked`);
    });

    it('is told once of a line, whichever resource of a template it is run for', () => {
        const told = report.filter(line => line.rule === 'effect-before-ask' && line.target === 'resource.txt');
        expect(told.map(line => line.handler)).toEqual([`Resource 'page://1'`]);
    });

    it('is told nothing of a replay that an error has cut short', () => {
        expect(watched.results['throws']).toBe('out of order');
        expect(found('throws')).toEqual([]);
    });

    it('is told nothing of what an unwinding frame gives back, but of what it does as if it had failed', () => {
        expect(found('locked')).toEqual([]);
        expect(found('mistaken')).toEqual([
            `effect-while-unwinding fs.writeFileSync failed.txt shop.mjs:${lineOf(`writeFileSync('failed.txt'`)}`,
            expect.stringContaining('effect-before-ask fs.writeFileSync kept.txt'),
            expect.stringContaining('effect-repeated fs.writeFileSync kept.txt')
        ]);
    });

    it('is told that a package connects, and nothing of the timers that the package keeps', () => {
        expect(found('packagePool')).toEqual([
            expect.stringMatching(
                new RegExp(`^traffic-outside-once net\\.connect \\S+ shop\\.mjs:${lineOf('await query(port)')}$`)
            )
        ]);
    });

    it('is told of streams that are constructed, last writes, clocks of all kinds, and calls amid structured stacks', () => {
        expect(found('stream')[0]).toContain('effect-before-ask fs.WriteStream stream.txt');
        expect(found('ended')).toContainEqual(expect.stringContaining('traffic-outside-once net.Socket.end'));
        expect(found('waits')).toEqual([expect.stringContaining('timer-at-suspension timers.promises.scheduler.wait')]);
        expect(found('clocks').map(finding => finding.split(' ')[1])).toEqual([
            'performance.now',
            'process.hrtime',
            'process.hrtime.bigint'
        ]);
        expect(found('structured')[0]).toContain('effect-before-ask fs.writeFileSync structured.txt');
    });

    it('is told of reads apart', () => {
        expect(found('reads')).toEqual([
            `read-outside-once fs.readFileSync shop.mjs shop.mjs:${lineOf(`readFileSync('shop.mjs')`)}`,
            `read-outside-once http.get GET http://127.0.0.1:port/price shop.mjs:${lineOf('/price')}`
        ]);
    });

    it('is told of requests, connections and processes, without what may be a secret', () => {
        expect(problems(found('web'))).toEqual([
            expect.stringContaining('fetch POST http://127.0.0.1:port/orders shop'),
            expect.stringContaining('http.request DELETE http://127.0.0.1:port/things shop'),
            expect.stringContaining('http.request PUT http://127.0.0.1:port/others shop'),
            expect.stringContaining('net.connect 127.0.0.1:')
        ]);
        expect(problems(found('processes'))).toEqual([
            expect.stringContaining('child_process.execFileSync node shop'),
            expect.stringContaining('child_process.exec echo shop')
        ]);
        expect(found('pooled')).toEqual([expect.stringContaining('traffic-outside-once net.Socket.write 127.0.0.1:')]);
        expect(JSON.stringify(report)).not.toContain('secret');
    });

    it('is told of the timer that is alive when the round is sent, and what it does then', () => {
        expect(found('timer')).toEqual([`timer-at-suspension setTimeout shop.mjs:${lineOf('60_000).unref()')}`]);
        const at = `shop.mjs:${lineOf('late.txt')}`;
        expect(found('abandoned')).toEqual([
            `timer-at-suspension setTimeout ${at}`,
            `effect-in-abandoned-frame fs.writeFileSync late.txt ${at}`
        ]);
    });

    it('is told of a replay that asks something else, and what it may have been made of', () => {
        const [, changed] = report.filter(line => line.handler === `Tool 'volatile'`);
        expect(changed).toMatchObject({ rule: 'question-changed', level: 'problem', attempt: 2, key: 'confirm' });
        expect(changed?.['message']).toMatch(
            /params\.message was "Sure about 0\.\d+\?", now "Sure about nothing\?"\. Read before it: Math\.random at shop\.mjs:/
        );
    });

    it('is told of replays that lose a question, ask in another order, or do other things', () => {
        expect(found('lost')).toEqual(['question-lost']);
        expect(found('reordered')).toEqual(['question-order']);
        expect(found('onlyReplay')).toEqual([
            expect.stringContaining('effect-only-in-replay fs.writeFileSync replay.txt')
        ]);
        expect(found('guarded').at(-1)).toContain('effect-not-repeated fs.writeFileSync guarded.txt');
    });

    it('gets a summary that says what was compared, and what cannot be seen', () => {
        const differing = ['volatile', 'lost', 'reordered', 'onlyReplay', 'guarded'];
        const { replays, equalReplays, calls, parked, limits } = summaryOf(report);
        expect({ calls, parked }).toEqual({ calls: TOOLS.length, parked: 1 });
        expect(Number(replays) - Number(equalReplays)).toBe(differing.length);
        expect(limits).toEqual(expect.arrayContaining([expect.stringContaining('native code')]));
    });

    function problems(findings: string[]): string[] {
        return findings.filter(finding => finding.startsWith('effect-before-ask'));
    }
});

describe('a clean server', () => {
    it('gets a clean report over stdio, on stderr', async () => {
        const { results, stderr } = await playStdio(folder, 'clean.mjs', ['order']);
        expect(results).toEqual({ order: 'true,to size?,to colour?' });
        expect(stderr.split('\n').slice(0, 4)).toEqual([
            'mcp-mrtr verify-replay: watching this process',
            'mcp-mrtr verify-replay: 0 problems, 0 notes in 1 call and 3 attempts; 2 replays compared, 2 equal',
            '    Not seen:',
            expect.stringMatching(/^ {4}- /)
        ]);
    });

    it('gets one over HTTP', async () => {
        const child = fork('clean.mjs', {
            cwd: folder,
            execArgv: [...IMPORT],
            env: { ...process.env, MCP_MRTR_VERIFY_OUTPUT: 'http.jsonl' }
        });
        const [port] = (await once(child, 'message')) as [number];
        const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`));
        expect(await play(transport, ['order'])).toEqual({ order: 'true,to size?,to colour?' });
        child.send('end');
        expect(await once(child, 'exit')).toEqual([0, null]);
        const report = readReport(folder, 'http.jsonl');
        expect(report.map(({ type }) => type)).toEqual(['start', 'summary']);
        expect(summaryOf(report)).toMatchObject({
            calls: 1,
            attempts: 3,
            replays: 2,
            equalReplays: 2,
            problems: 0,
            notes: 0
        });
    });
});

describe('servers of all kinds', () => {
    it('leaves signals to the server and to the system', async () => {
        const child = fork('busy.mjs', { cwd: folder, execArgv: [...IMPORT], silent: true });
        expect(await once(child, 'message')).toContain('0,0,0');
        child.kill('SIGTERM');
        expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    });

    it('tells the runtime from the server where no folder does, as in a bundle', async () => {
        cpSync(join(folder, 'node_modules/mcp-mrtr/dist/shim'), join(folder, 'bundled'), { recursive: true });
        writeFileSync(
            join(folder, 'bundle.mjs'),
            readFileSync(join(servers, 'clean.mjs'), 'utf8').replace(`'mcp-mrtr'`, `'./bundled/index.js'`)
        );
        const { results } = await playStdio(folder, 'bundle.mjs', ['order'], { output: 'bundle.jsonl' });
        expect(results).toEqual({ order: 'true,to size?,to colour?' });
        const report = readReport(folder, 'bundle.jsonl');
        expect(summaryOf(report)).toMatchObject({ attempts: 3, equalReplays: 2 });
        expect(report.filter(({ type }) => type === 'finding')).toEqual([]);
    });

    it('watches CommonJS, whose names were taken by require', async () => {
        const { results } = await playStdio(folder, 'shop.cjs', ['before'], { output: 'cjs.jsonl' });
        expect(results).toEqual({ before: 'to confirm?' });
        expect(findingsOf(readReport(folder, 'cjs.jsonl'), 'before')).toEqual([
            `effect-before-ask fs.writeFileSync before.txt shop.cjs:${lineOf(`writeFileSync('before`, 'shop.cjs')}`,
            `effect-before-ask fs.promises.writeFile promised.txt shop.cjs:${lineOf(`writeFile('promised`, 'shop.cjs')}`,
            expect.stringContaining('effect-repeated fs.writeFileSync'),
            expect.stringContaining('effect-repeated fs.promises.writeFile')
        ]);
    });

    it('watches a published server, all of whose lines are in a package', async () => {
        const published = 'node_modules/published/shop.cjs';
        cpSync(join(servers, 'shop.cjs'), join(folder, published));
        await playStdio(folder, published, ['before'], { output: 'published.jsonl' });
        const findings = findingsOf(readReport(folder, 'published.jsonl'), 'before');
        expect(findings).toHaveLength(4);
        expect(readReport(folder, 'published.jsonl').filter(({ via }) => via !== undefined)).toEqual([]);
        expect(findings[0]).toContain(`${published}:${lineOf(`writeFileSync('before`, 'shop.cjs')}`);
    });

    it('names lines of the source where source maps are enabled', async () => {
        const source = `interface Gone {\n    of: 'the output';\n}\n\n${readFileSync(join(servers, 'shop.mjs'), 'utf8')}`;
        const { outputText } = ts.transpileModule(source, {
            compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, inlineSourceMap: true },
            fileName: join(folder, 'typed.ts')
        });
        writeFileSync(join(folder, 'typed.mjs'), outputText);
        await playStdio(folder, 'typed.mjs', ['before'], {
            output: 'typed.jsonl',
            nodeArgs: ['--enable-source-maps', ...IMPORT]
        });
        expect(findingsOf(readReport(folder, 'typed.jsonl'), 'before')[0]).toContain(
            `typed.ts:${lineOf(`writeFileSync('before.txt'`) + 4}`
        );
    });

    it('does not start where the report cannot be written', async () => {
        const child = fork('clean.mjs', {
            cwd: folder,
            execArgv: [...IMPORT],
            env: { ...process.env, MCP_MRTR_VERIFY_OUTPUT: 'no/such/folder.jsonl' },
            silent: true
        });
        let stderr = '';
        child.stderr?.on('data', chunk => (stderr += String(chunk)));
        expect(await once(child, 'close')).toEqual([1, null]);
        expect(stderr).toContain('MCP_MRTR_VERIFY_OUTPUT: cannot write to no/such/folder.jsonl');
    });
});

describe('the page about the check', () => {
    const page = readFileSync(join(repoRoot, 'docs/verify-replay.md'), 'utf8');

    it('has every rule with its level', () => {
        const rows = [...page.matchAll(/^\| `(\S+)` +\| (\w+)/gm)].map(([, rule, level]) => [rule, level]);
        expect(rows).toEqual(expect.arrayContaining(Object.entries(RULES).map(([rule, { level }]) => [rule, level])));
        expect(rows).toHaveLength(Object.keys(RULES).length);
    });

    it('has every limit', () => {
        const listed = [...page.matchAll(/^- (.+)\.$/gm)].map(([, limit]) => limit!.replaceAll('`', '').toLowerCase());
        expect(listed).toEqual(LIMITS.map(limit => limit.toLowerCase()));
    });
});
