import { isRecord } from './json-rpc.js';
import type { Workers } from './workers.js';

/** The `resources/subscribe` of old servers that an open `subscriptions/listen` stands for. */
export class Subscriptions {
    readonly #open = new Map<unknown, { readonly uris: readonly string[]; readonly workers: Workers }>();
    /** How many listeners each resource has, by its servers. */
    readonly #listeners = new Map<Workers, Map<string, number>>();

    /**
     * @param id what {@link close} knows it by.
     * @param params those of `subscriptions/listen`, as the client sent them.
     */
    open(id: unknown, params: unknown, workers: Workers): void {
        const uris = resourcesOf(params);
        if (uris.length === 0 || this.#open.has(id)) return;
        this.#open.set(id, { uris, workers });
        const listeners = this.#listeners.get(workers) ?? new Map<string, number>();
        this.#listeners.set(workers, listeners);
        for (const uri of uris) {
            const count = (listeners.get(uri) ?? 0) + 1;
            listeners.set(uri, count);
            if (count === 1) workers.tell(nameOf(uri), 'resources/subscribe', { uri });
        }
    }

    close(id: unknown): void {
        const subscription = this.#open.get(id);
        if (subscription === undefined) return;
        this.#open.delete(id);
        const { uris, workers } = subscription;
        const listeners = this.#listeners.get(workers);
        for (const uri of uris) {
            const count = (listeners?.get(uri) ?? 1) - 1;
            if (count > 0) listeners?.set(uri, count);
            else {
                listeners?.delete(uri);
                workers.untell(nameOf(uri), 'resources/unsubscribe', { uri });
            }
        }
        if (listeners?.size === 0) this.#listeners.delete(workers);
    }

    clear(): void {
        for (const id of [...this.#open.keys()]) this.close(id);
    }
}

function nameOf(uri: string): string {
    return `subscribe ${uri}`;
}

function resourcesOf(params: unknown): string[] {
    const filter = isRecord(params) && isRecord(params['notifications']) ? params['notifications'] : {};
    const { resourceSubscriptions: uris } = filter;
    return Array.isArray(uris) ? [...new Set(uris.filter(uri => typeof uri === 'string'))] : [];
}
