export interface MovedMember {
    /** Name of the namespace in the user's file. */
    namespace: string;
    /** What the v2 module calls the member. */
    name: string;
    /** Specifier of the v2 module that exports it. */
    module: string;
}

/**
 * Members of one v1 namespace may have gone to different v2 modules. The module that the whole namespace went to, else
 * the one with most members, keeps the namespace's name; each other one gets a name of its own, new in the text.
 */
export function nameNamespaces(
    members: Iterable<MovedMember>,
    whole: ReadonlyMap<string, string>,
    text: string
): (member: MovedMember) => string {
    const counts = new Map<string, Map<string, number>>();
    for (const { namespace, module } of members) {
        const modules = counts.get(namespace) ?? new Map<string, number>();
        counts.set(namespace, modules.set(module, (modules.get(module) ?? 0) + 1));
    }
    const names = new Map<string, string>();
    for (const [namespace, modules] of counts) {
        const most = [...modules].sort((a, b) => b[1] - a[1])[0]?.[0];
        for (const module of modules.keys()) {
            const keeps = module === (whole.get(namespace) ?? most);
            names.set(keyOf(namespace, module), keeps ? namespace : freshName(namespace + lastWord(module), text));
        }
    }
    return ({ namespace, module }) => names.get(keyOf(namespace, module)) ?? namespace;
}

const keyOf = (namespace: string, module: string) => `${namespace} ${module}`;

/** `@modelcontextprotocol/core` → `Core`. */
function lastWord(module: string): string {
    const word = /[a-z]+$/.exec(module)?.[0] ?? '';
    return word.charAt(0).toUpperCase() + word.slice(1);
}

function freshName(wanted: string, text: string): string {
    return text.split(/[^\w$]+/).includes(wanted) ? freshName(`${wanted}V2`, text) : wanted;
}
