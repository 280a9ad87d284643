import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MigrationReport } from '../../codemods/index.js';
import { runCli, type Ended } from './runCli.js';
import { PUSH_SERVER, readText, suiteProject, temporaryProject } from '../temporaryProject.js';

const PLAIN = PUSH_SERVER['src/server.ts']!;
const MARK = '\uFEFF';

/** One server in every form that an editor or a platform gives a file. */
const FORMS: Record<string, (text: string) => string> = {
    'src/crlf.ts': text => text.replaceAll('\n', '\r\n'),
    'src/tabs.ts': text => text.replaceAll('    ', '\t'),
    'src/shebang.ts': text => `#!/usr/bin/env node\n${text}`,
    'src/openEnd.ts': text => text.trimEnd(),
    'src/marked.ts': text => MARK + text,
    'src/all.ts': text =>
        `${MARK}#!/usr/bin/env -S node\n${text.replaceAll('    ', '\t').trimEnd()}`.replaceAll('\n', '\r\n')
};

const BROKEN = `import '@modelcontextprotocol/sdk/server/mcp.js';\n\nserver.elicitInput({ message: ;\n`;

const TWO_SERVERS = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';

const shop = new McpServer({ name: 'shop', version: '1.0.0' });
const bank = new McpServer({ name: 'bank', version: '1.0.0' });
const requestedSchema = { type: 'object' as const, properties: { sure: { type: 'boolean' as const } } };

shop.registerTool('buy', {}, async () => {
    const { action } = await shop.server.elicitInput({ message: 'Buy?', requestedSchema });
    return { content: [{ type: 'text', text: action }] };
});
bank.registerTool('pay', {}, async () => {
    const { action } = await bank.server.elicitInput({ message: 'Pay?', requestedSchema });
    return { content: [{ type: 'text', text: action }] };
});

export { shop, bank };
`;

describe('a project in which a file is broken and the others have every form', () => {
    const before: Record<string, string> = {
        ...PUSH_SERVER,
        'src/broken.ts': BROKEN,
        'src/two.ts': TWO_SERVERS,
        'src/other.ts': 'export const nothing = 0\r\n\t// to migrate',
        ...Object.fromEntries(Object.entries(FORMS).map(([path, form]) => [path, form(PLAIN)]))
    };
    const folder = suiteProject(before);
    const after: Record<string, string> = {};
    let first: Ended;
    let report: MigrationReport;
    let second: Ended;
    let afterSecond: Record<string, string>;

    beforeAll(() => {
        first = runCli(['migrate', '--write', '--json'], folder);
        report = JSON.parse(first.stdout) as MigrationReport;
        for (const path of [...Object.keys(before), 'src/mrtr.ts']) after[path] = readText(folder, path);
        second = runCli(['migrate', '--write', '--json'], folder);
        afterSecond = Object.fromEntries(Object.keys(after).map(path => [path, readText(folder, path)]));
    });

    it('ends with 4, and the broken file is named, with its line, and as it was', () => {
        expect(first).toMatchObject({ code: 4 });
        expect(first.stderr).toContain('src/broken.ts:3');
        expect(report.diagnostics).toContainEqual(
            expect.objectContaining({ level: 'error', code: 'syntax-error', file: 'src/broken.ts', line: 3 })
        );
        expect(after['src/broken.ts']).toBe(BROKEN);
    });

    it('has all other calls migrated', () => {
        expect(report.summary.byStatus).toEqual({ migrated: 9, review: 0, manual: 0, skipped: 0 });
        expect(after['src/server.ts']).toContain('await ctx.need(');
    });

    it.each(Object.entries(FORMS))('keeps the form of %s, byte for byte', (path, form) => {
        expect(after[path]).toBe(form(after['src/server.ts']!));
    });

    it('reports positions of the files as they were', () => {
        for (const { file, line, column, api } of report.sites) {
            const text = before[file]!.replace(MARK, '').split(/\r?\n/)[line - 1]!;
            expect(text.slice(column - 1), file).toMatch(new RegExp(`^${api}\\(`));
        }
    });

    it('has both servers of one file attached', () => {
        expect(after['src/two.ts']).toContain(`shop = attach(new McpServer({ name: 'shop', version: '1.0.0' }))`);
        expect(after['src/two.ts']).toContain(`bank = attach(new McpServer({ name: 'bank', version: '1.0.0' }))`);
        expect(after['src/two.ts']!.match(/resumable\(async/g)).toHaveLength(2);
    });

    it('leaves alone what has no MCP code in it', () => {
        expect(after['src/other.ts']).toBe(before['src/other.ts']);
    });

    it('is not changed by a second run, which names the broken file again', () => {
        expect(second).toMatchObject({ code: 4 });
        expect(JSON.parse(second.stdout)).toMatchObject({ files: [], sites: [] });
        expect(afterSecond).toEqual(after);
    });
});

describe('a project with a read-only file and a tsconfig.json that is no JSON', () => {
    it('ends with 4: both named, nothing written', () => {
        const folder = temporaryProject({ ...PUSH_SERVER, 'tsconfig.json': '{ "compilerOptions": ' });
        chmodSync(join(folder, 'src/server.ts'), 0o444);
        const ended = runCli(['migrate', '--write'], folder);
        expect(ended).toMatchObject({ code: 4 });
        expect(ended.stdout).toMatch(/^ +error +src\/server\.ts .*read-only/m);
        expect(ended.stdout).toMatch(/^ +warning +tsconfig\.json/m);
        expect(ended.stderr).toContain('Nothing was changed');
        expect(readText(folder, 'src/server.ts')).toBe(PLAIN);
        expect(readText(folder, 'package.json')).toBe(PUSH_SERVER['package.json']);
        expect(existsSync(join(folder, 'src/mrtr.ts'))).toBe(false);
    });
});
