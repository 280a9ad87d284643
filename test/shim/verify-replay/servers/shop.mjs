// Handlers with all that can go wrong when they run again.
import { exec, execFileSync } from 'node:child_process';
import fs, { appendFileSync, readFileSync, writeFile, writeFileSync } from 'node:fs';
import { appendFile, open } from 'node:fs/promises';
import http, { createServer, get, request } from 'node:http';
import { connect } from 'node:net';
import { scheduler } from 'node:timers/promises';
import { promisify } from 'node:util';

import { McpServer, ResourceTemplate, UrlElicitationRequiredError } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMrtr, elicit } from 'mcp-mrtr';
import { note, query } from 'notes';
import * as z from 'zod';

import { record } from './ledger.mjs';

const { attach, resumable } = createMrtr({ key: 'a key for tests, long enough for AES' });

/** What the handlers talk to: answers every request with its path, and keeps connections open. */
const web = createServer((incoming, outgoing) => outgoing.end(incoming.url)).listen(0, '127.0.0.1');
await new Promise(resolve => web.once('listening', resolve));
web.unref().on('connection', socket => socket.unref());
const { port } = web.address();
const url = `http://127.0.0.1:${port}`;
const agent = new http.Agent({ keepAlive: true });

const FORM = { type: 'object', properties: { answer: { type: 'string' } } };
const ask = (ctx, key, message = `${key}?`) => ctx.need(key, elicit({ message, requestedSchema: FORM }));
const said = ({ content }) => content?.answer ?? 'nothing';
const body = response => new Promise(resolve => response.setEncoding('utf8').on('data', resolve));
const requested = outgoing => new Promise(resolve => outgoing.on('response', r => resolve(body(r))).end());

/** A connection that is open before any call, as that of a pool. */
const pooled = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .unref();
await new Promise(resolve => pooled.once('connect', resolve));

/** What one run of a handler leaves in memory for the next. */
const remembered = new Set();
const first = name => !remembered.has(name) && remembered.add(name);

const tools = {
    async before(ctx) {
        writeFileSync('before.txt', 'x');
        return said(await ask(ctx, 'confirm'));
    },
    async once(ctx) {
        await ctx.once('write', () => writeFileSync('once.txt', 'x'));
        ctx.onceSync('stamp', () => Date.now());
        await ctx.once('call', async () => (await fetch(`${url}/once`, { method: 'POST' })).text());
        const answer = said(await ask(ctx, 'confirm'));
        writeFileSync('after.txt', answer);
        return answer;
    },
    async beside(ctx) {
        const [answer] = await Promise.all([ask(ctx, 'confirm'), appendFile('beside.txt', 'x')]);
        return said(answer);
    },
    async through(ctx) {
        await record('through');
        return said(await ask(ctx, 'confirm'));
    },
    async callback(ctx) {
        await promisify(writeFile)('callback.txt', 'x');
        fs.mkdirSync('folder', { recursive: true });
        const file = await open('handle.txt', 'w');
        await file.write('x');
        await file.close();
        return said(await ask(ctx, 'confirm'));
    },
    async reads(ctx) {
        const size = readFileSync('shop.mjs').length;
        await new Promise(resolve => get(`${url}/price?token=secret`, r => resolve(body(r))));
        return `${size > 0} ${said(await ask(ctx, 'confirm'))}`;
    },
    async web(ctx) {
        await (await fetch(`${url}/orders?token=secret`, { method: 'post', body: 'x' })).text();
        await requested(request(`${url}/things`, { method: 'DELETE', agent }));
        await requested(http.request({ host: '127.0.0.1', port, path: '/others', method: 'PUT', agent }));
        const socket = connect(port, '127.0.0.1');
        await new Promise(resolve => socket.end('', resolve));
        socket.destroy();
        return said(await ask(ctx, 'confirm'));
    },
    async processes(ctx) {
        execFileSync(process.execPath, ['-e', '0', 'secret']);
        await promisify(exec)('echo secret');
        return said(await ask(ctx, 'confirm'));
    },
    async timer(ctx) {
        const cleared = setTimeout(() => undefined, 60_000);
        clearTimeout(cleared);
        await new Promise(resolve => setTimeout(resolve, 1));
        setTimeout(() => undefined, 60_000).unref();
        return said(await ask(ctx, 'confirm'));
    },
    async volatile(ctx) {
        const token = first('volatile') ? Math.random() : 'nothing';
        return said(await ask(ctx, 'confirm', `Sure about ${token}?`));
    },
    async lost(ctx) {
        return first('lost') ? said(await ask(ctx, 'confirm')) : 'not asked';
    },
    async reordered(ctx) {
        const keys = first('reordered') ? ['one', 'two'] : ['two', 'one'];
        const answers = await Promise.all(keys.map(key => ask(ctx, key)));
        return answers.map(said).sort().join();
    },
    async page() {
        writeFileSync('page.txt', 'x');
        if (!first('page')) return 'visited';
        throw new UrlElicitationRequiredError([
            { mode: 'url', message: 'Visit', url: `${url}/page`, elicitationId: '1' }
        ]);
    },
    async onlyReplay(ctx) {
        if (ctx.replaying) writeFileSync('replay.txt', 'x');
        return said(await ask(ctx, 'confirm'));
    },
    async throughPackage(ctx) {
        await note('package.txt');
        return said(await ask(ctx, 'confirm'));
    },
    async pooled(ctx) {
        pooled.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
        return said(await ask(ctx, 'confirm'));
    },
    async badKey(ctx) {
        const inside = await ctx.once('asks', () => ask(ctx, 'inside')).catch(error => error.name);
        const refused = await ask(ctx, 'key#2').catch(error => error.name);
        return `${inside} ${refused} ${said(await ask(ctx, 'confirm'))}`;
    },
    async guarded(ctx) {
        if (!fs.existsSync('guarded.txt')) writeFileSync('guarded.txt', 'x');
        return said(await ask(ctx, 'confirm'));
    },
    async abandoned(ctx) {
        const late = new Promise(resolve => setTimeout(resolve, 50)).then(() => writeFileSync('late.txt', 'x'));
        const answer = said(await ask(ctx, 'confirm'));
        await late;
        return answer;
    },
    async several(ctx) {
        const names = [];
        for (const key of ['one', 'two', 'three']) names.push(said(await ask(ctx, key)));
        appendFileSync('several.txt', names.join());
        return names.join();
    },
    async fails(ctx) {
        fs.writeFileSync('fails.txt', 'x');
        try {
            readFileSync('no such file');
        } catch (error) {
            return `${error.code} ${error.path} ${said(await ask(ctx, 'confirm'))}`;
        }
    },
    async throws(ctx) {
        if (!first('throws')) throw new Error('out of order');
        return said(await ask(ctx, 'confirm'));
    },
    async packagePool(ctx) {
        await query(port);
        return said(await ask(ctx, 'confirm'));
    },
    async ended(ctx) {
        const socket = await ctx.once('port', () => port).then(open => connect(open, '127.0.0.1'));
        await new Promise(resolve => socket.once('connect', resolve));
        socket.on('error', () => undefined).end('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
        return said(await ask(ctx, 'confirm'));
    },
    async stream(ctx) {
        const stream = new fs.WriteStream('stream.txt');
        await new Promise(resolve => stream.end('x', resolve));
        return `${stream instanceof fs.WriteStream} ${said(await ask(ctx, 'confirm'))}`;
    },
    async waits(ctx) {
        void scheduler.wait(100);
        return said(await ask(ctx, 'confirm'));
    },
    async clocks(ctx) {
        const times = [performance.now(), process.hrtime()[0], process.hrtime.bigint()];
        return `${times.length} ${said(await ask(ctx, 'confirm'))}`;
    },
    async structured(ctx) {
        const { prepareStackTrace } = Error;
        Error.prepareStackTrace = (_error, sites) => sites;
        writeFileSync('structured.txt', 'x');
        Error.prepareStackTrace = prepareStackTrace;
        return said(await ask(ctx, 'confirm'));
    },
    async quiet() {
        writeFileSync('quiet.txt', 'x');
        console.error('a line of the server');
        return `${new Date() instanceof Date} ${new Date().constructor === Date} ${typeof Date()} ${setTimeout.name}`;
    }
};

/** Under onSuspend: 'unwind'. */
const unwinding = {
    async locked(ctx) {
        writeFileSync('lock', 'x');
        const folder = fs.mkdtempSync('work-');
        writeFileSync(`${folder}/draft.txt`, 'x');
        const timer = setInterval(() => undefined, 60_000);
        try {
            return said(await ask(ctx, 'confirm'));
        } finally {
            clearInterval(timer);
            // The next attempt may have begun.
            fs.rmSync('lock', { force: true });
            fs.rmSync(folder, { recursive: true });
        }
    },
    async mistaken(ctx) {
        writeFileSync('kept.txt', 'x');
        try {
            return said(await ask(ctx, 'confirm'));
        } catch (error) {
            writeFileSync('failed.txt', String(error));
            throw error;
        }
    }
};

function build() {
    const server = attach(new McpServer({ name: 'shop', version: '1.0.0' }));
    const tool = (name, options, handler) =>
        server.registerTool(
            name,
            { inputSchema: z.object({}) },
            resumable(options, async (_args, ctx) => ({ content: [{ type: 'text', text: await handler(ctx) }] }))
        );
    for (const [name, handler] of Object.entries(tools)) tool(name, {}, handler);
    for (const [name, handler] of Object.entries(unwinding)) tool(name, { onSuspend: 'unwind' }, handler);
    tool('parked', { mode: 'park' }, tools.before);
    server.registerResource(
        'page',
        new ResourceTemplate('page://{id}', { list: undefined }),
        {},
        resumable(async (uri, _variables, ctx) => {
            writeFileSync('resource.txt', 'x');
            return { contents: [{ uri: uri.href, text: said(await ask(ctx, 'confirm')) }] };
        })
    );
    return server;
}

serveStdio(build);
