/**
 * One of several instances of a server, in a process of its own. Every attempt of a handler and every effect becomes a
 * line of the journal, a file that all instances append to.
 *
 * Arguments: path of the journal, mode of the handler. Tells its parent its port.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { toNodeHandler } from '@modelcontextprotocol/node';
import type { NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';

import { createMrtr } from '../../../shim/index.js';
import type { ResumableOptions } from '../../../shim/index.js';
import { ask, KEY } from '../scripted-server.js';

const [journal, mode] = process.argv.slice(2) as [string, NonNullable<ResumableOptions['mode']>];
const note = (line: string): void => appendFileSync(journal, `${line}\n`);

const { attach, resumable } = createMrtr({ key: KEY });

const handler = createMcpHandler(() => {
    const server = attach(new McpServer({ name: 'fleet', version: '1.0.0' }));
    server.registerTool(
        'order',
        { inputSchema: z.object({ flow: z.number(), rounds: z.number() }) },
        resumable({ mode }, async ({ flow, rounds }, ctx) => {
            note(`attempt ${flow} ${ctx.round}`);
            const price = await ctx.once('price', () => {
                note(`once ${flow}`);
                return flow * 10;
            });
            const said = [String(price)];
            for (let round = 1; round <= rounds; round++) {
                said.push(await ask(ctx, `item-${round}`, `Item ${round} of ${flow}?`));
            }
            note(`effect ${flow}`);
            return { content: [{ type: 'text', text: said.join(' ') }] };
        })
    );
    return server;
});

const answer = toNodeHandler(handler);
// The cast is for exactOptionalPropertyTypes: Node's own request type has `method: string | undefined`.
const server = createServer((request, response) => void answer(request as NodeIncomingMessageLike, response));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// The parent is gone, in whatever way.
process.on('disconnect', () => process.exit());
