import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProject, type OpenProjectInput } from '../../../codemods/project/open.js';
import { typeErrors } from '../../../codemods/project/typeErrors.js';
import { temporaryFolder } from '../files/temporaryFolder.js';

type Options = Partial<Omit<OpenProjectInput, 'root' | 'files' | 'tsconfig' | 'zod3'>> & {
    zod?: 3;
    onDisk?: Record<string, string>;
    tsconfig?: unknown;
};

/** Code and message of each type error in these texts, which are not on disk. */
function errorsOf(files: Record<string, string>, { onDisk = {}, tsconfig, zod, ...options }: Options = {}): string[] {
    const config =
        tsconfig === undefined
            ? {}
            : { 'tsconfig.json': typeof tsconfig === 'string' ? tsconfig : JSON.stringify(tsconfig) };
    const root = temporaryFolder({ 'package.json': '{ "type": "module" }', ...config, ...onDisk });
    const texts = new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]));
    const { project } = openProject({
        root,
        files: texts,
        ...(tsconfig !== undefined && { tsconfig: join(root, 'tsconfig.json') }),
        ...(zod === 3 && { zod3: new Set(texts.keys()) }),
        ...options
    });
    return [...typeErrors(project, root, texts.keys()).values()].map(
        ({ error: { path, code, message } }) => `${path} ${code} ${message}`
    );
}

const V1 = `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { readFileSync } from 'node:fs';
const server = new McpServer({ name: 'a', version: '1' });
server.registerTool('x', { inputSchema: { a: z.string() } }, async ({ a }, extra): Promise<CallToolResult> => {
    const answer = await server.server.elicitInput({ message: a, requestedSchema: { type: 'object', properties: {} } });
    const size: number = readFileSync(process.cwd()).length;
    const wrong: boolean = answer.action;
    return { content: [{ type: 'text', text: String(size) + wrong + extra.requestId }] };
});`;

const V2 = `
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Client } from '@modelcontextprotocol/client';
import { ElicitResultSchema } from '@modelcontextprotocol/core';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import * as z from 'zod';
const server = new McpServer({ name: 'a', version: '1' });
server.registerTool('x', { inputSchema: z.object({ a: z.string() }) }, async ({ a }, ctx) => {
    const wrong: boolean = (await ctx.mcpReq.elicitInput({ message: a, requestedSchema: { type: 'object', properties: {} } })).action;
    return { content: [{ type: 'text', text: String(wrong) }] };
});
export const used = [StdioServerTransport, Client, ElicitResultSchema, NodeStreamableHTTPServerTransport];`;

// One error each, which shows that the types are there: of `any` there is none.
const V1_ERROR = `2322 Type 'string' is not assignable to type 'boolean'.`;
const V2_ERROR = V1_ERROR;
const RUNTIME = `import { createMrtr } from 'mcp-mrtr';\nexport const wrong: number = createMrtr({ key: 'x' }).attach;`;
const EXPRESS = `import express from 'express';\nexport const app = express();`;

describe('a project without node_modules', () => {
    it('has the types of both SDKs, zod, Node and this package; other packages are not there', () => {
        const files = { 'express.ts': EXPRESS, 'mrtr.ts': RUNTIME, 'v1.ts': V1, 'v2.ts': V2 };
        const errors = errorsOf(files);
        expect(errors.map(error => error.slice(0, 60))).toEqual([
            `express.ts 2307 Cannot find module 'express' or its corresponding type declarations.`.slice(0, 60),
            expect.stringMatching(/^mrtr\.ts 2322 Type '<.+>\(/) as string,
            `v1.ts ${V1_ERROR}`.slice(0, 60),
            `v2.ts ${V2_ERROR}`.slice(0, 60)
        ]);
    });

    it.each([
        ['nodenext', { module: 'nodenext' }, '{ "type": "module" }'],
        ['nodenext in CommonJS', { module: 'nodenext' }, '{}'],
        ['node16 in CommonJS', { module: 'node16', moduleResolution: 'node16' }, '{}'],
        ['node10', { module: 'esnext', moduleResolution: 'node', target: 'es2022' }, '{}']
    ])('has them under module resolution %s', (_, compilerOptions, manifest) => {
        const tsconfig = { compilerOptions: { strict: true, ...compilerOptions } };
        const errors = errorsOf({ 'v1.ts': V1, 'v2.ts': V2 }, { tsconfig, onDisk: { 'package.json': manifest } });
        expect(errors).toEqual([`v1.ts ${V1_ERROR}`, `v2.ts ${V2_ERROR}`]);
    });
});

describe('the own packages of a project', () => {
    it('are used, even those that only are ES modules', () => {
        const errors = errorsOf(
            {
                'a.ts': `import { size } from 'ruler';\nconst here = import.meta.url;\nawait null;\nexport const wrong: string = [size, here];`
            },
            {
                tsconfig: { compilerOptions: { module: 'nodenext', strict: true } },
                onDisk: {
                    'node_modules/ruler/package.json':
                        '{ "name": "ruler", "type": "module", "exports": { "import": { "types": "./index.d.ts", "default": "./index.js" } } }',
                    'node_modules/ruler/index.d.ts': 'export declare const size: number;'
                }
            }
        );
        expect(errors).toEqual([`a.ts 2322 Type '(string | number)[]' is not assignable to type 'string'.`]);
    });

    it('do not count where they are the SDK, zod or the types of Node', () => {
        const broken = (name: string) => ({
            [`node_modules/${name}/package.json`]: `{ "name": "${name}", "version": "0.0.1", "types": "index.d.ts" }`,
            [`node_modules/${name}/index.d.ts`]: 'declare const process: 1; export declare const broken: 1;'
        });
        const onDisk = {
            ...broken('@types/node'),
            ...broken('zod'),
            ...broken('@modelcontextprotocol/server'),
            ...broken('uses-node')
        };
        onDisk['node_modules/uses-node/index.d.ts'] =
            '/// <reference types="node" />\nexport declare const broken: NodeJS.Process;';
        const text = V2 + `\nimport { broken } from 'uses-node';\nbroken.pid.toFixed();\nprocess.pid.toFixed();`;
        expect(errorsOf({ 'a.ts': text }, { onDisk })).toHaveLength(1);
    });

    it('are read from their sources where they belong to the same workspace', () => {
        const root = temporaryFolder({
            'packages/tools/src/index.ts': 'export const tool = 1;',
            'packages/tools/src/ask.ts': 'export const ask = 2;'
        });
        const file = join(root, 'packages/server/src/a.ts');
        const text = `import { tool } from '@x/tools';\nimport { ask } from '@x/tools/ask';\nimport { ask as built } from '@x/tools/dist/ask.js';\nexport const wrong: string = tool + ask + built;`;
        const { project } = openProject({
            root,
            files: new Map([[file, text]]),
            workspace: new Map([['@x/tools', join(root, 'packages/tools')]])
        });
        const errors = [...typeErrors(project, root, [file]).values()].map(({ error }) => error.message);
        expect(errors).toEqual([`Type 'number' is not assignable to type 'string'.`]);
    });
});

describe('a project on zod 3', () => {
    const text = `import { z } from 'zod';\nexport const kind: z.ZodFirstPartyTypeKind = z.string()._def.typeName;`;

    it('sees the types of zod 3, and an SDK v2 that wants zod 4', () => {
        expect(errorsOf({ 'a.ts': text, 'v2.ts': V2 }, { zod: 3 })[0]).toBe(
            'v2.ts 2769 No overload matches this call.'
        );
        expect(errorsOf({ 'a.ts': text })).not.toEqual([]);
    });
});

describe('the given texts', () => {
    it('hide the files on disk, and need not be there', () => {
        const files = {
            'a.ts': `import { b } from './b.js';\nimport { c } from './c.js';\nimport { d } from './d.js';\nexport const wrong: string = b + c + d;`,
            'b.ts': 'export const b = 1;',
            'c.ts': 'export const c = 1;'
        };
        const onDisk = { 'b.ts': 'nothing here', 'd.ts': 'export const d = 1;' };
        expect(errorsOf(files, { onDisk })).toEqual([`a.ts 2322 Type 'number' is not assignable to type 'string'.`]);
    });
});

describe('a tsconfig', () => {
    const diagnosticsOf = (tsconfig: string) => {
        const root = temporaryFolder({ 'app/tsconfig.json': tsconfig });
        return openProject({ root, files: new Map(), tsconfig: join(root, 'app/tsconfig.json') }).diagnostics;
    };

    it('decides how strict the types are', () => {
        const files = { 'a.ts': 'export const f = (x) => x;' };
        expect(errorsOf(files, { tsconfig: { compilerOptions: { strict: false } } })).toEqual([]);
        expect(errorsOf(files, { tsconfig: { compilerOptions: { strict: true } } })).toHaveLength(1);
    });

    it('may have comments, trailing commas, no files and old options', () => {
        expect(
            diagnosticsOf(
                '{ // mine\n "compilerOptions": { "moduleResolution": "node10", "target": "es5", }, "files": [], }'
            )
        ).toEqual([]);
    });

    it('that is no JSON is named with its line, and the defaults are used', () => {
        expect(diagnosticsOf('{\n  "compilerOptions": {\n    "strict": tru\n}')).toEqual([
            {
                level: 'warning',
                code: 'tsconfig',
                file: 'app/tsconfig.json',
                line: 4,
                message: expect.stringMatching(
                    /^app\/tsconfig\.json could not be read in full \(.+\)\. Types were read with/
                ) as string
            }
        ]);
    });

    it('that extends a package which is not installed is named; what it says itself counts', () => {
        const tsconfig = JSON.stringify({
            extends: '@tsconfig/node20/tsconfig.json',
            compilerOptions: { noImplicitAny: false }
        });
        expect(diagnosticsOf(tsconfig)).toHaveLength(1);
        expect(errorsOf({ 'v1.ts': V1, 'a.ts': 'export const f = (x) => x;' }, { tsconfig })).toEqual([
            `v1.ts ${V1_ERROR}`
        ]);
    });

    it('that cannot be read is named', () => {
        const root = temporaryFolder({ 'tsconfig.json/file': '' });
        const { diagnostics } = openProject({ root, files: new Map(), tsconfig: join(root, 'tsconfig.json') });
        expect(diagnostics.map(({ file }) => file)).toEqual(['tsconfig.json']);
    });
});
