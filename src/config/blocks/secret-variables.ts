/**
 * `$secretTo: { variable: ADDRESS, value: TEXT, ... }` declares the variable at that address.
 *
 *   `value`          text with `${secret}`, `${id}` and the other members that the platform shows; without it, the secret itself
 *   other members    fields of the variable, such as `target`
 *
 * The variable becomes a block like any other, so that its fields are checked, its address can be declared only once, and it is planned,
 * recorded and deleted as every variable is. Its value has a hole that the creation of the object fills.
 */
import { lineage } from '../../kind/define-kind.ts';
import { mayCopy, secrecyOf } from '../../kind/disclosure.ts';
import type { Kind, Kinds } from '../../kind/kind.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Address, addressOf, unescapeName } from '../../model/address.ts';
import { type Diagnostic, problem } from '../../model/diagnostic.ts';
import type { Ref } from '../../model/value.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  type Entry,
  type Expression,
  type ExpressionNode,
  entryOf,
  isPoisoned,
  type MapNode,
  type Node,
  nodeOf,
  type ScalarNode,
  textOf,
} from '../yaml/nodes.ts';
import { positionOf, type Spot } from '../yaml/source.ts';
import { type Block, keyNames, type ReadBlock } from './block.ts';

/** `$` keys of the object that hold for its variable as well. */
const handedDown = ['$forget', '$from', '$handover'];

interface SecretVariables {
  blocks: Block[];
  problems: Diagnostic[];
}

/** Returns the blocks of the variables that `$secretTo` declares. `isIncomplete`: a file that was not read may declare their projects. */
export function secretVariables(
  read: readonly ReadBlock[],
  { kinds, isIncomplete }: { kinds: Kinds; isIncomplete: boolean },
): SecretVariables {
  const declaring = read.flatMap(({ block, units: [object] }) => {
    const node = block.meta.find(({ key }) => key.text === '$secretTo')?.value;
    const isVariable = node?.type === 'map' && entryOf(node, 'variable') !== undefined;
    return object && isVariable && typeof object.meta.secretTo === 'object' ? [{ block, object, node }] : [];
  });
  const problems: Diagnostic[] = [];
  if (declaring.length === 0) return { blocks: [], problems };
  const byAddress = new Map(read.map(({ block }) => [block.address, block]));
  const blocks = declaring.flatMap(({ block, object: { address, meta }, node }) => {
    const report: Report = (code, message, at, hint) =>
      void problems.push(problem(code, message, { at: positionOf(at), address, hint }));
    const reader = new VariableReader({ block, address, kinds, byAddress, isIncomplete, report });
    if (meta.existing)
      report(
        'config/meta',
        '`$existing` and a variable in `$secretTo` contradict each other',
        node.at,
        'an object that is not created from here shows no secret: declare the variable under `env`',
      );
    return meta.existing ? [] : (reader.read(node) ?? []);
  });
  return { blocks, problems };
}

type Report = (code: string, message: string, at: Spot, hint?: string) => void;

interface Declaring {
  /** The block with `$secretTo`, and the address of its object. */
  block: Block;
  address: Address;
  kinds: Kinds;
  byAddress: ReadonlyMap<Address, Block>;
  isIncomplete: boolean;
  report: Report;
}

/** Reads the variable of one `$secretTo`. Its methods return undefined where they have reported a problem. */
class VariableReader {
  readonly #declaring: Declaring;

  constructor(declaring: Declaring) {
    this.#declaring = declaring;
  }

  read(node: MapNode): Block | undefined {
    const { block, address } = this.#declaring;
    const variable = entryOf(node, 'variable')!.value as ScalarNode;
    const place = this.#placeOf(variable);
    const value = this.#valueOf(entryOf(node, 'value')?.value, variable.at);
    const fields = place && this.#fieldsOf(node, place.kind);
    if (!place || !value || !fields) return undefined;
    const { kind, parent, name } = place;
    const key: ScalarNode = { type: 'scalar', at: variable.at, text: name, value: name };
    const { field, entry } = secretFieldOf(kind)!;
    const implied = Object.entries(entry(fields.map(({ key }) => key.text))).map(([name, fixed]) =>
      entryFor(name, nodeOf(fixed, variable.at), variable.at),
    );
    return {
      kind,
      parent,
      address: addressOf(parent?.address, kind.section, keyNames(kind, name)),
      key,
      at: variable.at,
      position: positionOf(variable.at),
      own: [
        entryFor(kind.yaml.mapBy!, key, variable.at),
        entryFor(field, value, variable.at),
        ...implied,
        ...fields,
      ],
      meta: block.meta.filter((entry) => handedDown.includes(entry.key.text)),
      sections: [],
      index: block.index,
      secretOf: address,
    };
  }

  /** The kind, the parent and the name in the address of a variable. */
  #placeOf(node: ScalarNode): { kind: Kind; parent: Block | undefined; name: string } | undefined {
    const { kinds, byAddress, isIncomplete, report } = this.#declaring;
    const text = textOf(node)!;
    const steps = text.split('/');
    const [section, name = ''] = steps.slice(-2);
    const above = steps.slice(0, -2).join('/');
    const kind = [...kinds.values()].find(
      (one) =>
        one.section === section && steps.length === 2 * lineage(kinds, one.name).length && secretFieldOf(one),
    );
    if (!kind || name === '') {
      const variables = [...kinds.values()].filter(secretFieldOf);
      const forms = variables.map((one) => formOf(lineage(kinds, one.name)));
      report(
        'secret/variable',
        `${quoted(text)} is not the address of a variable`,
        node.at,
        `write ${forms.join(' or ')}`,
      );
      return undefined;
    }
    if (name.includes('@')) {
      const hint = 'remove what follows the `@`, and write `target: [production]` beside `variable`';
      report('secret/variable', `${quoted(text)} names a variable in one target`, node.at, hint);
      return undefined;
    }
    const parent = byAddress.get(above);
    if (kind.parent === undefined || parent?.kind.name === kind.parent)
      return { kind, parent, name: unescapeName(name) };
    const hint = 'declare it; with `$existing: true` if it is not managed here';
    if (!isIncomplete) report('ref/undeclared', `${above} is not declared`, node.at, hint);
    return undefined;
  }

  /** The fields of the variable that `$secretTo` sets. */
  #fieldsOf({ entries }: MapNode, kind: Kind): Entry[] | undefined {
    const { report } = this.#declaring;
    const { field, entry } = secretFieldOf(kind)!;
    const fixed = Object.keys(entry(Object.keys(kind.fields)));
    const fields = entries.filter(({ key }) => !['variable', 'value'].includes(key.text));
    const settable = Object.keys(kind.fields).filter(
      (name) => ![kind.yaml.mapBy, field, ...fixed].includes(name),
    );
    const wrong = fields.filter(({ key }) => !settable.includes(key.text));
    for (const { key } of wrong)
      report(
        'config/unknown-key',
        fixed.includes(key.text)
          ? `\`${key.text}\` cannot be set here: a variable with a secret that is shown once is always sensitive`
          : `unknown key ${quoted(key.text)} in \`$secretTo\``,
        key.at,
        fixed.includes(key.text) ? 'remove it' : hintFor(key.text, ['variable', ...settable]),
      );
    return wrong.length > 0 ? undefined : fields;
  }

  /** The value of the variable, with the holes that the creation of the object fills. */
  #valueOf(node: Node | undefined, at: Spot): ExpressionNode | undefined {
    const { report } = this.#declaring;
    const written: Node = node ?? { type: 'expression', at, parts: [{ type: 'shown', name: 'secret', at }] };
    if (isPoisoned(written)) return undefined;
    if (written.type !== 'expression') {
      report(
        'secret/variable',
        '`value` does not contain the secret',
        written.at,
        'write `${secret}` where it goes',
      );
      return undefined;
    }
    const parts = written.parts.map((part) => this.#partOf(part));
    if (parts.includes(undefined)) return undefined;
    const holds = parts.some(
      (part) => typeof part === 'object' && part.type === 'shown' && part.name !== 'id',
    );
    if (!holds) {
      report(
        'secret/variable',
        '`value` does not contain the secret',
        written.at,
        'write `${secret}` where it goes',
      );
      return undefined;
    }
    return { ...written, parts: parts as ExpressionNode['parts'] };
  }

  /** A part of the value: the name of a member becomes a hole. */
  #partOf(part: string | Expression): string | Expression | undefined {
    const { report, block } = this.#declaring;
    if (typeof part === 'string') return part;
    if (part.type === 'secret') {
      const hint =
        'declare a variable of its own for it: what it changes to could not be written without a new secret of the platform';
      report('secret/variable', 'another secret cannot be part of this value', part.at, hint);
      return undefined;
    }
    if (part.type !== 'shown') return part;
    const hole = this.#holeFor(part.name);
    if (hole) return { ...part, hole };
    const names = ['secret', 'id', ...(block.kind.shows!.also ?? [])];
    report(
      'secret/variable',
      `\`\${${part.name}}\` is not shown when a ${block.kind.name} is created`,
      part.at,
      `${hintFor(part.name, names, 'it shows')}; write \`$\${\` for a literal \`\${\``,
    );
    return undefined;
  }

  #holeFor(name: string): Ref | undefined {
    const { block, address } = this.#declaring;
    const { secret, also = [], opens } = block.kind.shows!;
    if (name === 'secret') return { $ref: address, attr: secret };
    if (also.includes(name)) return { $ref: address, attr: name };
    if (name !== 'id') return undefined;
    let opened: Block | undefined = opens === undefined ? undefined : block.parent;
    while (opened && opened.kind.name !== opens) opened = opened.parent;
    return { $ref: opened?.address ?? address, attr: 'id' };
  }
}

/** The field of a variable that a secret is written to, with what follows from that; undefined for other kinds. */
function secretFieldOf({ fields }: Kind) {
  for (const [field, schema] of Object.entries(fields)) {
    const { takesSecret: entry, ...traits } = traitsOf(schema);
    // Whatever is shown once is not to be read anywhere else.
    if (entry && mayCopy('write-only', secrecyOf(traits, entry([])))) return { field, entry };
  }
  return undefined;
}

const entryFor = (name: string, value: Node, at: Spot): Entry => ({
  key: { type: 'scalar', at, text: name, value: name },
  value,
});

/** The form of an address, for people: `projects/NAME/env/NAME`. */
const formOf = (kinds: readonly Kind[]): string =>
  `\`${[...kinds]
    .reverse()
    .map(({ section }) => `${section}/NAME`)
    .join('/')}\``;
