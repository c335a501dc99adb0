import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import { hintFor, quoted } from '../suggest.ts';
import { type Entry, type Expression, maskNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { type Part, parseTemplate, type Step } from './template.ts';
import type { Variables } from './variables.ts';

export type Expand = (node: Node) => Node;

/** What expressions may begin with, and what is declared. `secrets: undefined` allows variables only. */
interface Scope {
  variables: Variables;
  secrets?: ReadonlySet<string>;
  sections: string[];
  /** A file could not be read, so that something undeclared may be declared there. */
  incomplete: boolean;
}

const failed: unique symbol = Symbol('failed');

/**
 * Makes a function that puts variables in, and splits strings with secrets or references into templates. Shared nodes stay
 * shared. A string with a problem becomes an empty template, which nothing complains about a second time.
 */
export function expander(scope: Scope, diagnostics: Diagnostic[]): Expand {
  const done = new Map<Node, Node>();

  const expand: Expand = (node) => {
    if (node.type === 'scalar' && !node.text.includes('${')) return node;
    const known = done.get(node);
    if (known) return known;
    const result = expandNow(node);
    done.set(node, result);
    return result;
  };

  function expandNow(node: Node): Node {
    if (node.type === 'list') {
      const items = node.items.map(expand);
      return items.every((item, i) => item === node.items[i]) ? node : { ...node, items };
    }
    if (node.type === 'map') {
      const entries = node.entries.map(expandEntry);
      const isSame = entries.every((entry, i) => entry === node.entries[i]);
      return isSame ? node : { ...node, entries: withoutDoubles(entries) };
    }
    return node.type === 'scalar' ? expandText(node) : node;
  }

  function expandEntry(entry: Entry): Entry {
    const { key, value } = entry;
    if (!key.text.includes('${')) {
      const expanded = expand(value);
      return expanded === value ? entry : { key, value: expanded };
    }
    const name = expandText(key);
    if (name.type === 'scalar') return { key: name, value: expand(value) };
    const secret =
      name.type === 'template' &&
      name.parts.some((part) => typeof part === 'object' && part.type === 'secret');
    if (name.type !== 'template' || name.parts.length > 0)
      diagnostics.push(
        problem(
          secret ? 'secret/in-name' : 'ref/in-name',
          secret ? 'a name cannot contain a secret' : 'a name can contain variables only',
          { at: positionOf(key.at), hint: 'names must be known before anything is read or made' },
        ),
      );
    maskNode(value);
    return { key: { ...key, unusable: true }, value: expand(value) };
  }

  function withoutDoubles(entries: Entry[]): Entry[] {
    const byKey = new Map<string, Entry>();
    for (const entry of entries) {
      const first = byKey.get(entry.key.text);
      if (!first) byKey.set(entry.key.text, entry);
      else
        diagnostics.push(
          problem('yaml/duplicate-key', `the key ${quoted(entry.key.text)} stands twice`, {
            at: positionOf(entry.key.at),
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
    }
    return byKey.size === entries.length ? entries : [...byKey.values()];
  }

  function expandText(node: ScalarNode): Node {
    const split = parseTemplate(node.text);
    const opens = opensOf(node);
    const parts = split.map((part) =>
      typeof part === 'string' ? part : resolve(part, node, opens, split.length === 1),
    );
    if (parts.includes(failed)) return { type: 'template', at: node.at, parts: [] };
    const whole = parts[0];
    if (parts.length === 1 && typeof whole === 'object' && isNode(whole))
      return whole.type === 'scalar' ? { ...whole, at: node.at, literals: spotsOf(whole) } : whole;
    const literals: Spot[] = [];
    const merged: (string | Expression)[] = [];
    for (const part of parts as (string | Expression | ScalarNode)[]) {
      const text = typeof part === 'string' ? part : isNode(part) ? part.text : undefined;
      if (typeof part === 'object' && isNode(part)) literals.push(...spotsOf(part));
      if (text === undefined) merged.push(part as Expression);
      else if (typeof merged.at(-1) === 'string') merged.push(merged.pop() + text);
      else merged.push(text);
    }
    const [only] = merged;
    if (merged.length === 1 && typeof only === 'string')
      return { type: 'scalar', at: node.at, text: only, value: only, literals };
    return { type: 'template', at: node.at, parts: merged, literals };
  }

  function resolve(
    part: Exclude<Part, string>,
    node: ScalarNode,
    opens: number[],
    isWhole: boolean,
  ): Expression | Node | typeof failed {
    const at = spotOf(node, opens[part.nth], 0);
    const fail = (
      code: string,
      message: string,
      where: Spot,
      hint?: string,
      related?: Diagnostic['related'],
    ): typeof failed => {
      diagnostics.push(
        problem(code, message, { at: positionOf(where), hint, ...(related ? { related } : {}) }),
      );
      return failed;
    };
    if ('error' in part)
      return fail(
        'expression/syntax',
        `this \`\${\` begins an expression, but ${part.error}`,
        at,
        'write `$${` for a literal `${`',
      );
    const [root, name, ...more] = part.steps as [Step, ...Step[]];
    const place = (step: Step) => spotOf(node, opens[part.nth], step.start);
    if (root.name !== 'var' && root.name !== 'secret') {
      if (scope.secrets && scope.sections.includes(root.name))
        return { type: 'ref', at, steps: part.steps.map((step) => ({ ...step, start: place(step).start })) };
      // What stands here is not repeated: it may be part of a secret that happens to contain `${`.
      const roots = ['var', ...(scope.secrets ? ['secret', ...scope.sections] : [])];
      return fail(
        'expression/unknown',
        'this expression begins with nothing that is known',
        place(root),
        `${hintFor(root.name, roots, 'known are')}; write \`$\${\` for a literal \`\${\``,
      );
    }
    if (!name || more.length > 0)
      return fail('expression/syntax', `\`${root.name}\` takes one name`, at, `\${${root.name}.name}`);
    if (root.name === 'secret') {
      if (!scope.secrets) return fail('secret/not-here', 'a secret cannot be used here', at);
      if (scope.secrets.has(name.name)) return { type: 'secret', at, name: name.name };
      if (scope.incomplete) return failed;
      return fail(
        'secret/undeclared',
        `\`secrets\` does not declare ${quoted(name.name)}`,
        place(name),
        hintFor(name.name, [...scope.secrets], 'declared are'),
      );
    }
    if (!scope.variables.has(name.name)) {
      if (scope.incomplete) return failed;
      return fail(
        'var/undeclared',
        `\`variables\` does not declare ${quoted(name.name)}`,
        place(name),
        hintFor(name.name, [...scope.variables.keys()], 'declared are'),
      );
    }
    const value = scope.variables.get(name.name);
    if (!value) return failed;
    if (value.type === 'missing') {
      scope.variables.set(name.name, undefined);
      const related = [{ message: 'declared here', at: value.at }];
      return fail(
        'var/missing',
        `the variable ${quoted(name.name)} has no value`,
        place(name),
        value.hint,
        related,
      );
    }
    if (isWhole || (value.type === 'scalar' && value.value !== null)) return value;
    return fail('var/not-text', `${quoted(name.name)} is no text, so it can only stand alone`, place(name));
  }

  return expand;
}

const isNode = (part: Expression | Node): part is Node => part.type !== 'secret' && part.type !== 'ref';
const spotsOf = (node: ScalarNode): Spot[] => [
  ...(node.at.source.file === '' ? [] : [node.at]),
  ...(node.literals ?? []),
];

/** Where in the file each `${` of a text is, escapes and line breaks notwithstanding. */
function opensOf({ at }: ScalarNode): number[] {
  const opens: number[] = [];
  for (let i = at.start; ; i++) {
    i = at.source.text.indexOf('${', i);
    if (i === -1 || i >= at.end) return opens;
    opens.push(i);
  }
}

const spotOf = ({ at }: ScalarNode, open: number | undefined, offset: number): Spot =>
  open === undefined ? at : { ...at, start: open + offset };
