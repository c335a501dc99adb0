import { hintFor, quoted } from '../suggest.ts';
import { describe, type Entry, isNull, type Node, type ScalarNode } from '../yaml/nodes.ts';
import type { Say } from './say.ts';

/** A template that a layer names, with the inputs as they are written. */
export interface Use {
  name: ScalarNode;
  inputs: Entry[];
}

/** Reads the value of a `$use`: a name, `{ name: inputs }`, or a list of these. */
export function readUse(node: Node, say: Say): Use[] {
  if (node.type === 'list') return node.items.flatMap((item) => readUse(item, say));
  if (node.type === 'scalar' && node.value !== null && node.text !== '') return [{ name: node, inputs: [] }];
  if (node.type === 'map') return node.entries.flatMap((entry) => useOf(entry, say));
  say(
    'use/value',
    `\`$use\` must name templates, not ${describe(node)}`,
    node.at,
    '$use: { site: { country: at } }, or [site]',
  );
  return [];
}

function useOf({ key, value }: Entry, say: Say): Use[] {
  if (value.type === 'map') return [{ name: key, inputs: value.entries }];
  if (isNull(value)) return [{ name: key, inputs: [] }];
  say(
    'use/inputs',
    `template inputs must be a map, not ${describe(value)}`,
    value.at,
    `${key.text}: { name: value }, or {}`,
  );
  return [];
}

/** Reports inputs that a template does not have. */
export function checkInputs({ name, inputs }: Use, declared: ReadonlyMap<string, unknown>, say: Say): void {
  for (const { key } of inputs)
    if (!declared.has(key.text))
      say(
        'input/undeclared',
        `the template ${quoted(name.text)} has no input ${quoted(key.text)}`,
        key.at,
        hintFor(key.text, [...declared.keys()], 'it has'),
      );
}
