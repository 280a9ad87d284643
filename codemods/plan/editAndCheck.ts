import { join } from 'node:path';
import type { TypeErrors } from '../project/typeErrors.js';
import type { Diagnostic } from '../report.js';
import { makeEdits } from './makeEdits.js';
import type { EditInput, Edited } from './makeEdits.js';

/** What the compiler says where the builder does not take its argument. */
const NO_OVERLOAD = 'TS2769';

/**
 * Makes the edits and checks them. Projects that talk to their server through an interface of their own have types for
 * questions which are not the SDK's: where that shows as an error, the parameters are cast, if it helps.
 *
 * @param check the type errors of the project with these texts.
 * @param own those of them that our edits brought.
 * @param castable ids of sites that call a method of which the type is not the SDK's, in files with types.
 */
export function editAndCheck(
    input: EditInput,
    check: (edited: Edited) => TypeErrors,
    own: (errors: TypeErrors) => Diagnostic[],
    { root, castable }: { root: string; castable: ReadonlySet<string> }
): { edited: Edited; after: TypeErrors } {
    const edited = makeEdits(input);
    const after = check(edited);
    const before = own(after);
    const refused = before.filter(({ message }) => message.startsWith(NO_OVERLOAD));
    const files = new Set(refused.flatMap(({ file }) => (file === undefined ? [] : join(root, file))));
    const sites = input.facts.sites.filter(
        ({ id, file, request }) => request?.form === 'params' && files.has(file) && castable.has(id)
    );
    const cast = new Set(sites.map(({ id }) => id));
    if (cast.size === 0) return { edited, after };
    const again = makeEdits({ ...input, cast });
    const checked = check(again);
    return own(checked).length < before.length ? { edited: again, after: checked } : { edited, after };
}
