import { Node, SyntaxKind } from 'ts-morph';
import type { SourceFile } from 'ts-morph';
import { PUSH_METHODS } from '../facts/surface.js';
import type { FoundSite } from './sites.js';
import { memberName } from './syntax.js';

/**
 * A site of the original text is found again in the upgraded text by a comment in front of its first argument. The
 * official transforms move lines and rewrite callees, but carry comments inside argument lists along (measured: 203
 * of 203 real sites).
 */
const anchorText = (id: string, bare: boolean): string => (bare ? `/*@mrtr:ref:${id}*/` : `/*@mrtr:${id}*/`);

const ANCHOR = /\/\*@mrtr:(ref:)?(\w+)\*\//g;

/** Whether a site has no argument list of its own to put an anchor in. */
export const isBare = ({ node }: FoundSite): boolean => !Node.isCallExpression(node) && !Node.isNewExpression(node);

/** Where the anchor of a site goes: behind the opening parenthesis, or in front of a bare reference. */
export function anchorOffset(site: FoundSite): number {
    const paren =
        Node.isCallExpression(site.node) || Node.isNewExpression(site.node)
            ? site.node.getFirstChildByKind(SyntaxKind.OpenParenToken)
            : undefined;
    return paren?.getEnd() ?? site.node.getStart();
}

export function insertAnchors(text: string, anchors: readonly { id: string; offset: number; bare: boolean }[]): string {
    let anchored = text;
    for (const { id, offset, bare } of [...anchors].sort((a, b) => b.offset - a.offset)) {
        anchored = anchored.slice(0, offset) + anchorText(id, bare) + anchored.slice(offset);
    }
    return anchored;
}

export function removeAnchors(text: string): string {
    return text.replace(ANCHOR, '');
}

/** The nodes that the anchors of a file stand for. An anchor whose node is gone is missing from the map. */
export function anchoredNodes(file: SourceFile): Map<string, Node> {
    const found = new Map<string, Node>();
    for (const match of file.getFullText().matchAll(ANCHOR)) {
        const id = match[2] ?? '';
        const bare = match[1] !== undefined;
        const node = bare ? referenceAt(file, match.index + match[0].length) : callOpenedAt(file, match.index);
        if (node !== undefined) found.set(id, node);
    }
    return found;
}

function callOpenedAt(file: SourceFile, offset: number): Node | undefined {
    for (let node = file.getDescendantAtPos(offset - 1); node !== undefined; node = node.getParent()) {
        if (!Node.isCallExpression(node) && !Node.isNewExpression(node)) continue;
        if (node.getFirstChildByKind(SyntaxKind.OpenParenToken)?.getEnd() === offset) return node;
    }
    return undefined;
}

/** As written, or as the SDK upgrade writes `sendRequest`. */
const isAskingName = (name: string): boolean =>
    Object.hasOwn(PUSH_METHODS, name) || name === 'sendRequest' || name === 'send';

function referenceAt(file: SourceFile, offset: number): Node | undefined {
    let best: Node | undefined;
    for (let node = file.getDescendantAtPos(offset); node !== undefined; node = node.getParent()) {
        if (node.getStart() !== offset) break;
        if (isAskingName(memberName(node) ?? '')) best = node;
    }
    return best ?? file.getDescendantAtPos(offset);
}
