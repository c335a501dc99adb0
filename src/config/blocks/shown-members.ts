import type { Address } from '../../model/address.ts';
import type { Reporter } from '../../model/diagnostic.ts';
import type { Ref } from '../../model/value.ts';
import { hintFor } from '../suggest.ts';
import { type Expression, type ExpressionNode, isPoisoned, type Node } from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import type { Block } from './block.ts';

/**
 * A block with `$secretTo`, and the address of its object. The platform shows the secret of such an object once, when
 * it is created.
 */
export interface ShowingBlock {
  block: Block;
  address: Address;
  report: Reporter;
}

/**
 * Returns the default `value` of `$secretTo`: `${secret}` without any text around it. `spot`: the place of the
 * variable, for messages.
 */
export const bareSecret = (spot: Spot): ExpressionNode => ({
  type: 'expression',
  at: spot,
  parts: [{ type: 'shown', name: 'secret', at: spot }],
});

/**
 * Resolves the names in the `value` of `$secretTo`: `${secret}`, `${id}` and other members of the response to the
 * creation become holes. A hole is filled when the object is created. Returns undefined after it reported a problem.
 */
export function withShownMembers(node: Node, showing: ShowingBlock): ExpressionNode | undefined {
  if (isPoisoned(node)) return undefined;
  const parts = node.type === 'expression' ? node.parts.map((part) => resolvePart(part, showing)) : [];
  if (parts.includes(undefined)) return undefined;
  const isShownSecret = (part: string | Expression | undefined) =>
    typeof part === 'object' && part.type === 'shown' && part.name !== 'id';
  if (node.type === 'expression' && parts.some(isShownSecret))
    return { ...node, parts: parts as ExpressionNode['parts'] };
  showing.report.error('secret/variable', '`value` does not contain the secret', {
    at: node,
    hint: 'write `${secret}` where it goes',
  });
  return undefined;
}

/**
 * Resolves one part of the `value` of `$secretTo`. Returns undefined after it reported a part that cannot be there:
 * another secret, or a member that the platform does not show.
 */
function resolvePart(
  part: string | Expression,
  { block, address, report }: ShowingBlock,
): string | Expression | undefined {
  if (typeof part === 'string') return part;
  if (part.type === 'secret') {
    const hint =
      'declare a variable of its own for it: a change of it could not be written without a new secret';
    report.error('secret/variable', 'another secret cannot be part of this value', { at: part, hint });
    return undefined;
  }
  if (part.type !== 'shown') return part;
  const hole = holeFor(part.name, block, address);
  if (hole) return { ...part, hole };
  const names = ['secret', 'id', ...(block.kind.shows!.also ?? [])];
  report.error('secret/variable', `\`\${${part.name}}\` is not shown when a ${block.kind.name} is created`, {
    at: part,
    hint: `${hintFor(part.name, names, 'it shows')}; write \`$\${\` for a literal \`\${\``,
  });
  return undefined;
}

/**
 * Returns the hole for a member that the platform shows for an object of this kind; undefined if it shows no such
 * member. `${id}` is the id of the object, or of the ancestor that the secret gives access to (`opens`).
 */
function holeFor(name: string, { kind, parent }: Block, address: Address): Ref | undefined {
  const { secret, also = [], opens } = kind.shows!;
  if (name === 'secret') return { $ref: address, attr: secret };
  if (also.includes(name)) return { $ref: address, attr: name };
  if (name !== 'id') return undefined;
  let ancestor = opens === undefined ? undefined : parent;
  while (ancestor && ancestor.kind.name !== opens) ancestor = ancestor.parent;
  return { $ref: ancestor?.address ?? address, attr: 'id' };
}
