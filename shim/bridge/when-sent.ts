/**
 * The same response, after which `done` is called once: when its stream of events has been sent, or nobody wants it any
 * more. A response that is no stream is complete.
 */
export function whenSent(response: Response, signal: AbortSignal, done: () => void): Response {
    const { body: events, status, statusText, headers } = response;
    if (events === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) {
        done();
        return response;
    }
    const reader: ReadableStreamDefaultReader<Uint8Array> = events.getReader();
    let over = false;
    const end = (): void => {
        if (over) return;
        over = true;
        done();
    };
    signal.addEventListener('abort', end, { once: true });
    const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
            try {
                const { done: last, value } = await reader.read();
                if (!last) {
                    controller.enqueue(value);
                    return;
                }
                end();
                controller.close();
            } catch (error) {
                end();
                controller.error(error);
            }
        },
        cancel(reason) {
            end();
            return reader.cancel(reason);
        }
    });
    return new Response(body, { status, statusText, headers });
}
