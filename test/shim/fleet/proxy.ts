import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy {
    readonly url: string;
    /** Requests that were sent to another instance, because the one before was dead, or died with them. */
    readonly resent: () => number;
    readonly close: () => Promise<void>;
}

/**
 * A load balancer on the loopback. A request whose upstream dies before it has answered is sent to the next one, as
 * load balancers do: the first instance may have run it.
 *
 * @param choose place of the instance for the n-th request, given its body.
 */
export async function startProxy(
    ports: readonly number[],
    choose: (n: number, body: string) => number
): Promise<Proxy> {
    const agent = new Agent({ keepAlive: true });
    let count = 0;
    let resent = 0;
    const server = createServer((incoming, outgoing) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('end', () => {
            const body = Buffer.concat(chunks);
            const first = choose(count++, body.toString());
            const attempt = (tried: number): void => {
                const { method, url: path, headers } = incoming;
                const port = ports[(first + tried) % ports.length];
                const upstream = request({ host: '127.0.0.1', port, agent, method, path, headers }, answer => {
                    const parts: Buffer[] = [];
                    answer.on('data', (part: Buffer) => parts.push(part));
                    answer.on('end', () => {
                        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
                        outgoing.end(Buffer.concat(parts));
                    });
                    answer.on('error', again);
                });
                upstream.on('error', again);
                upstream.end(body);
                let over = false;
                function again(): void {
                    if (over) return;
                    over = true;
                    resent++;
                    if (tried + 1 < ports.length) attempt(tried + 1);
                    else outgoing.writeHead(502).end();
                }
            };
            attempt(0);
        });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
        resent: () => resent,
        close: () =>
            new Promise(resolve => {
                agent.destroy();
                server.close(() => resolve());
                server.closeAllConnections();
            })
    };
}
