import type { SearchBudget, TextRequirement } from './automaton.ts';

/** Characters that an example may have, the most readable first. */
const readable = 'abcdefghijklmnopqrstuvwxyz0123456789/-._~=,;:!@$&*()+ ';

/**
 * Returns a shortest readable text that meets all requirements, to show a request as an example. Undefined if there is none of readable
 * characters, or if the budget runs out. `allowed`: leaves out characters that the place of the text does not take.
 */
export function findText(
  requirements: readonly TextRequirement[],
  budget: SearchBudget,
  allowed: RegExp = /./,
): string | undefined {
  if (requirements.some(({ automaton }) => automaton.isTooLarge)) return undefined;
  const codes = representativeCodes(requirements, allowed);
  const start = requirements.map(({ automaton }) => automaton.first);
  const numbers = new Map<object, number>();
  const keyOf = (positions: readonly object[]) =>
    positions
      .map((position) => {
        const number = numbers.get(position) ?? numbers.size;
        numbers.set(position, number);
        return number;
      })
      .join(' ');
  const visitedKeys = new Set([keyOf(start)]);
  let open = [{ text: '', positions: start }];
  while (open.length > 0) {
    const following: typeof open = [];
    for (const { text, positions } of open) {
      if (positions.every(({ accepts }, i) => accepts === requirements[i]!.isIn)) return text;
      for (const code of codes) {
        budget.steps -= positions.reduce((sum, { nodes }) => sum + 1 + nodes.length, 0);
        if (budget.steps < 0) return undefined;
        const next = positions.map((position, i) => requirements[i]!.automaton.step(position, code));
        const isHopeless = next.some(({ nodes, acceptsAll }, i) =>
          requirements[i]!.isIn ? nodes.length === 0 : acceptsAll,
        );
        const key = isHopeless ? '' : keyOf(next);
        if (isHopeless || visitedKeys.has(key)) continue;
        visitedKeys.add(key);
        following.push({ text: text + String.fromCharCode(code), positions: next });
      }
    }
    open = following;
  }
  return undefined;
}

/** Returns one readable character of each group of characters that no requirement tells apart. */
function representativeCodes(requirements: readonly TextRequirement[], allowed: RegExp): number[] {
  const boundaries = [...new Set(requirements.flatMap(({ automaton }) => [...automaton.boundaries]))];
  const codesByGroup = new Map<number, number>();
  for (const character of readable) {
    const code = character.charCodeAt(0);
    const group = boundaries.filter((boundary) => boundary <= code).length;
    if (allowed.test(character) && !codesByGroup.has(group)) codesByGroup.set(group, code);
  }
  return [...codesByGroup.values()];
}
