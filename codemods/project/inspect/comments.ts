import { Node } from 'ts-morph';
import type { SourceFile } from 'ts-morph';

/** Whether an offset of a file is in a comment: in no token of the program. */
export function isInComment(file: SourceFile, offset: number): boolean {
    const node = file.getDescendantAtPos(offset);
    return node === undefined || offset < node.getStart() || Node.isSourceFile(node) || node.getText() === '';
}
