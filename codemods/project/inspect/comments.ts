import { Node } from 'ts-morph';
import type { SourceFile } from 'ts-morph';

/** Whether words at an offset of a file are a comment, and not part of a string, a template, a pattern or JSX. */
export function isInComment(file: SourceFile, offset: number): boolean {
    const node = file.getDescendantAtPos(offset);
    if (node === undefined || offset < node.getStart()) return true;
    return !(
        Node.isStringLiteral(node) ||
        Node.isNoSubstitutionTemplateLiteral(node) ||
        Node.isTemplateHead(node) ||
        Node.isTemplateMiddle(node) ||
        Node.isTemplateTail(node) ||
        Node.isRegularExpressionLiteral(node) ||
        Node.isJsxText(node)
    );
}
