import { matcherOf } from '../model/address-glob.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import type { Resource } from '../model/resource.ts';
import { textsOf } from './blocks/meta-readers.ts';
import type { Expand } from './expressions/expand.ts';
import { describe, type Node } from './yaml/nodes.ts';
import { positionOf } from './yaml/source.ts';

/** `owns: ["projects/*\/firewall/**"]`: what the stack may declare, as globs of addresses. */
export function readOwns(value: Node, expand: Expand, diagnostics: Diagnostic[]): string[] {
  const node = expand(value);
  const items = textsOf(node);
  if (items) return items.map(({ name }) => name);
  diagnostics.push(
    problem('config/type', `\`owns\` must be a list of addresses, not ${describe(node)}`, {
      at: positionOf(node.at),
      hint: 'owns: ["projects/*/firewall/**"]',
    }),
  );
  return [];
}

/** A problem for each declared resource that one of the fences does not have: a slip, in a repository of several teams. What exists elsewhere may be named. */
export function outsideOf(
  fences: readonly (readonly string[] | undefined)[],
  resources: Iterable<Resource>,
): Diagnostic[] {
  const declared = [...resources].filter(({ meta }) => !meta.existing && !meta.forget);
  return fences.flatMap((owns) => {
    if (!owns) return [];
    const isIn = matcherOf(owns);
    return declared
      .filter(({ address }) => !isIn(address))
      .map(({ address, at }) =>
        problem('stack/outside', `${address} is outside what this stack may own`, {
          address,
          at,
          hint: `\`owns\` says ${owns.map((glob) => `\`${glob}\``).join(', ') || 'nothing'}; declare it in the owning stack, or extend \`owns\``,
        }),
      );
  });
}
