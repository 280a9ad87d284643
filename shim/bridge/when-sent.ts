/** The same response, after which `done` is called once: when its body has been sent, or nobody wants it any more. */
export function whenSent(response: Response, signal: AbortSignal, done: () => void): Response {
    const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
    if (reader === undefined) {
        done();
        return response;
    }
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
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
}
