import { describe, expect, it } from 'vitest';
import { upgradeSdk } from '../../../codemods/upgrade/upgradeSdk.js';

const MAIN = `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';\nimport { register } from './tools.js';\nregister(new McpServer({ name: 'a', version: '1' }));\n`;

function toolsAfter(tools: string, main = MAIN): string | undefined {
    const files = new Map([
        ['/p/main.js', main],
        ['/p/tools.js', tools]
    ]);
    return upgradeSdk({ files }).files.get('/p/tools.js');
}

describe('a file that is given its server and does not import the SDK', () => {
    it('gets the registrations of v2, which has no tool() method', () => {
        expect(
            toolsAfter(
                `import { z } from 'zod';\n\nexport function register(server) {\n    server.tool('a', 'Says a', { b: z.string() }, async ({ b }) => b);\n}\n`
            )
        ).toBe(
            `import { z } from 'zod';\n\nexport function register(server) {\n    server.registerTool('a', { description: 'Says a', inputSchema: z.object({ b: z.string() }) }, async ({ b }) => b);\n}\n`
        );
    });

    it('keeps its shebang and its CommonJS', () => {
        const text = `#!/usr/bin/env node\n'use strict';\nexports.register = server => {\n    server.tool('a', async () => require('./b'));\n};\n`;
        const after = toolsAfter(text);
        expect(after?.startsWith(`#!/usr/bin/env node\n'use strict';\nexports.register`)).toBe(true);
        expect(after).toContain(`server.registerTool('a', {`);
        expect(after).not.toContain('McpServer');
    });

    it('stays as it is where nothing of the project names SDK v1', () => {
        const text = `export const register = server => server.tool('a', async () => 1);\n`;
        expect(toolsAfter(text, `import { Framework } from 'some-framework';\n`)).toBe(text);
    });
});
