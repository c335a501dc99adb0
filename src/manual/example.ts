import type { Kind, Kinds } from '../kind/kind.ts';
import { isPlainObject } from '../model/value.ts';

/** The example of a kind in YAML from the root. What is data stands in its section, in the object that the example of its parent names. */
export function exampleOf(kinds: Kinds, { example, section, parent }: Kind): string | undefined {
  if (example === undefined || typeof example === 'string') return example?.trim();
  const above = [...linesAbove(kinds, parent), `${section}:`];
  const entries = Object.entries(example).map(([name, value]) => `${flow(name)}: ${flow(value)}`);
  const lines = above.map((line, depth) => '  '.repeat(depth) + line);
  return [...lines, ...entries.map((entry) => '  '.repeat(above.length) + entry)].join('\n');
}

function linesAbove(kinds: Kinds, name: string | undefined): string[] {
  const kind = name === undefined ? undefined : kinds.get(name);
  if (kind === undefined) return [];
  const section = [...linesAbove(kinds, kind.parent), `${kind.section}:`];
  if (kind.key.length === 0) return section;
  const first = exampleOf(kinds, kind)?.split('\n')[section.length] ?? '';
  return [...section, `${first.trim().replace(/:( .*)?$/, '')}:`];
}

/** A value on one line. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isPlainObject(value)) return isPlain(value) ? String(value) : JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${flow(name)}: ${flow(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Text that YAML reads as the same text without quotes. */
const isPlain = (value: unknown): boolean =>
  typeof value !== 'string' ||
  (/^[\w$./](?:[\w ./@$-]|:(?=\S))*$/.test(value) &&
    Number.isNaN(Number(value)) &&
    !/^(true|false|null|yes|no|on|off)$/i.test(value));
