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
import { type Diagnostic, Reporter } from '../../model/diagnostic.ts';
import type { Ref } from '../../model/value.ts';
import { hintFor, quoted } from '../suggest.ts';
import {
  type Entry,
  type Expression,
  type ExpressionNode,
  entryFor,
  entryOf,
  hasReportedProblem,
  type MapNode,
  memberOf,
  type Node,
  nodeOf,
  type ScalarNode,
  textNode,
  textOf,
} from '../yaml/nodes.ts';
import type { Spot } from '../yaml/source.ts';
import { type Block, keyNames, type LoadedBlock, nearestOfKind } from './block.ts';

/** The `$` settings of the object that also apply to its variable. */
const inheritedSettings = ['$from', '$handover'];

/** The blocks of variables that `$secretTo` declares, and the problems with them. */
interface SecretVariables {
  blocks: Block[];
  problems: Diagnostic[];
}

/**
 * Creates the blocks of the variables that `$secretTo: { variable: ADDRESS }` declares: `apply` writes a
 * secret to them that the platform shows only when it creates an object. `read`: all blocks after the first
 * reading, since only a valid block may declare a variable. `isIncomplete`: a file that could not be read may
 * declare the projects of these variables.
 */
export function secretVariables(
  read: readonly LoadedBlock[],
  { kinds, isIncomplete }: { kinds: Kinds; isIncomplete: boolean },
): SecretVariables {
  if (!read.some(({ block }) => variableSettingOf(block))) return { blocks: [], problems: [] };
  const report = new Reporter();
  const byAddress = new Map(read.map(({ block }) => [block.address, block]));
  const blocks: Block[] = [];
  for (const { block, units } of read) {
    const object = units[0];
    const node = variableSettingOf(block);
    if (!object || !node || typeof object.meta.secretTo !== 'object') continue;
    const { address, meta } = object;
    const blockReport = report.withDetails({ address });
    const context = { block, address, kinds, byAddress, isIncomplete, report: blockReport };
    const variable = meta.existing ? refuseExisting(node, blockReport) : readSecretVariable(node, context);
    if (variable) blocks.push(variable);
  }
  return { blocks, problems: report.diagnostics };
}

/** Returns the value of the `$secretTo` of a block if it declares a variable, else undefined. */
function variableSettingOf({ settingEntries }: Block): MapNode | undefined {
  const node = settingEntries.find(({ key }) => key.text === '$secretTo')?.value;
  return node?.type === 'map' && entryOf(node, 'variable') !== undefined ? node : undefined;
}

/** Reports a variable for the secret of an object with `$existing`: this is never created here, so no secret is shown. */
const refuseExisting = (node: MapNode, report: Reporter): undefined =>
  report.error('config/meta', '`$existing` and a variable in `$secretTo` contradict each other', {
    at: node,
    hint: 'an object that is not created from here shows no secret: declare the variable itself',
  });

/** One `$secretTo` with a variable: its block, and the context in which its address is resolved. */
interface Declaration extends ShowingBlock {
  kinds: Kinds;
  byAddress: ReadonlyMap<Address, Block>;
  isIncomplete: boolean;
}

/**
 * Creates the block of the variable that one `$secretTo` declares, so that the plan treats it like one that is written under `env:`. It
 * also gets `$from` and `$handover` of the object. Undefined after it reported a problem. `node`: the value of `$secretTo`. For example,
 * `{ variable: projects/web/env/TOKEN, value: 'db:${secret}', target: [production] }` becomes the same block as `env: { TOKEN: { value:
 * 'db:${secret}', type: sensitive, target: [production] } }` in the project `web`.
 */
function readSecretVariable(node: MapNode, declaration: Declaration): Block | undefined {
  const { block, address } = declaration;
  const variable = memberOf(node, 'variable') as ScalarNode;
  const { at } = variable;
  const target = findVariablePlace(variable, declaration);
  const writtenValue = memberOf(node, 'value') ?? bareSecret(at);
  const value = withShownMembers(writtenValue, declaration);
  const writtenFields = target && variableFields(node, target.kind, declaration);
  if (!target || !value || !writtenFields) return undefined;
  const { kind, parent, name } = target;
  const key = textNode(name, at);
  const { field: secretField, fieldsWithSecret } = secretFieldOf(kind)!;
  // The fields that follow from a secret value, such as `type: sensitive`.
  const impliedValues = fieldsWithSecret(writtenFields.map((entry) => entry.key.text));
  const impliedFields = Object.entries(impliedValues).map(([fieldName, implied]) =>
    entryFor(fieldName, nodeOf(implied, at), at),
  );
  return {
    kind,
    parent,
    address: addressOf(parent?.address, kind.section, keyNames(kind, name)),
    key,
    at,
    fieldEntries: [
      entryFor(kind.yaml.mapBy!, key, at),
      entryFor(secretField, value, at),
      ...impliedFields,
      ...writtenFields,
    ],
    settingEntries: block.settingEntries.filter((entry) => inheritedSettings.includes(entry.key.text)),
    sections: [],
    index: block.index,
    secretOf: address,
  };
}

/**
 * Returns where the variable of a `$secretTo` belongs, from its address, such as `projects/web/env/TOKEN`:
 * its kind, the block of its parent, and its name. Returns undefined after it reported an address of no
 * variable, an address with a target (`TOKEN@preview`), or a parent that is not declared. If `isIncomplete`, a
 * missing parent is not reported. `byAddress`: all blocks.
 */
function findVariablePlace(
  node: ScalarNode,
  { kinds, byAddress, isIncomplete, report }: Declaration,
): { kind: Kind; parent: Block | undefined; name: string } | undefined {
  const text = textOf(node)!;
  const steps = text.split('/');
  const [section, name = ''] = steps.slice(-2);
  const parentAddress = steps.slice(0, -2).join('/');
  const variableKinds = [...kinds.values()].filter((candidate) => secretFieldOf(candidate) !== undefined);
  const kind = variableKinds.find(
    (candidate) =>
      candidate.section === section &&
      // The kind and each of its ancestors have a section and a name in the address.
      steps.length === 2 * lineage(kinds, candidate.name).length,
  );
  if (!kind || name === '') {
    const forms = variableKinds.map((variable) => formatAddressPattern(lineage(kinds, variable.name)));
    return report.error('secret/variable', `${quoted(text)} is not the address of a variable`, {
      at: node,
      hint: `write ${forms.join(' or ')}`,
    });
  }
  if (name.includes('@'))
    return report.error('secret/variable', `${quoted(text)} names a variable in one target`, {
      at: node,
      hint: 'remove the `@` and the text after it, and write `target: [production]` beside `variable`',
    });
  const parent = byAddress.get(parentAddress);
  if (kind.parent === undefined || parent?.kind.name === kind.parent)
    return { kind, parent, name: unescapeName(name) };
  // A file that could not be read may declare it.
  if (isIncomplete) return undefined;
  return report.error('ref/undeclared', `${parentAddress} is not declared`, {
    at: node,
    hint: 'declare it; with `$existing: true` if it is not managed here',
  });
}

/**
 * Returns the entries of a `$secretTo` that are fields of the variable for the secret: in `{ variable:
 * ADDRESS, target: [production] }`, the entry `target`. Returns undefined after it reported keys that cannot
 * be set here, such as those that follow from the secret (`impliedFields`). `kind`: that of the variable.
 */
function variableFields({ entries }: MapNode, kind: Kind, { report }: Declaration): Entry[] | undefined {
  const { field, fieldsWithSecret } = secretFieldOf(kind)!;
  // Those that follow even if all fields are written: `type`, but not `target`, because `target` is only a default.
  const impliedFields = Object.keys(fieldsWithSecret(Object.keys(kind.fields)));
  const fields = entries.filter(({ key }) => !['variable', 'value'].includes(key.text));
  const settable = Object.keys(kind.fields).filter(
    (name) => ![kind.yaml.mapBy, field, ...impliedFields].includes(name),
  );
  const invalidEntries = fields.filter(({ key }) => !settable.includes(key.text));
  for (const { key } of invalidEntries)
    report.error(
      'config/unknown-key',
      impliedFields.includes(key.text)
        ? `\`${key.text}\` cannot be set here: a variable with a secret that is shown once is always sensitive`
        : `unknown key ${quoted(key.text)} in \`$secretTo\``,
      {
        at: key,
        hint: impliedFields.includes(key.text) ? 'remove it' : hintFor(key.text, ['variable', ...settable]),
      },
    );
  return invalidEntries.length > 0 ? undefined : fields;
}

/**
 * Returns, for a kind of variable, the field to which `$secretTo` can write a secret that is shown only once. Undefined for other kinds, so
 * it also finds the kinds of variable that `$secretTo` can name. `fieldsWithSecret`, a trait of the field, gets the names of the fields in
 * the configuration, and returns the other fields that follow from the secret, such as `type: sensitive`.
 */
function secretFieldOf({ fields }: Kind) {
  for (const [field, schema] of Object.entries(fields)) {
    const { takesSecret: fieldsWithSecret, ...traits } = traitsOf(schema);
    if (!fieldsWithSecret) continue;
    // A secret that is shown only once must not go to a variable whose value can be read again.
    const impliedFields = fieldsWithSecret([]);
    const secrecy = secrecyOf(traits, impliedFields);
    if (mayCopy('write-only', secrecy)) return { field, fieldsWithSecret };
  }
  return undefined;
}

/**
 * Formats the addresses of a kind as a pattern, `projects/NAME/env/NAME`, for the hint about a wrong address in `$secretTo`. `kinds`: the
 * kind and its ancestors, from the kind upwards.
 */
const formatAddressPattern = (kinds: readonly Kind[]): string =>
  `\`${[...kinds]
    .reverse()
    .map(({ section }) => `${section}/NAME`)
    .join('/')}\``;

/**
 * A block with `$secretTo`, and the address of its object. The platform shows the secret of such an object once, when
 * it is created.
 */
interface ShowingBlock {
  block: Block;
  address: Address;
  report: Reporter;
}

/**
 * Returns the default `value` of `$secretTo`: `${secret}` without any text around it. `spot`: the place of the
 * variable, for messages.
 */
const bareSecret = (spot: Spot): ExpressionNode => ({
  type: 'expression',
  at: spot,
  parts: [{ type: 'shown', name: 'secret', at: spot }],
});

/**
 * Prepares the `value` of `$secretTo`, such as `postgres://${secret}@db`: each name that the platform shows
 * when it creates the object (`${secret}`, `${id}`) gets a placeholder (`hole`), which `apply` replaces right
 * after the creation. Returns undefined after it reported a problem, for example that the secret itself is
 * missing.
 */
function withShownMembers(node: Node, showing: ShowingBlock): ExpressionNode | undefined {
  if (hasReportedProblem(node)) return undefined;
  const parts = node.type === 'expression' ? node.parts.map((part) => resolvePart(part, showing)) : [];
  // A problem with a part was reported.
  if (parts.includes(undefined)) return undefined;
  // Every shown member but the id contains the secret.
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
 * Returns one part of the `value` of `$secretTo`, the text that is written to a variable, such as `postgres://${secret}@db`. A name that
 * the platform shows when it creates the object (`${secret}`, `${id}`: type `shown`) gets a placeholder (`hole`) for the answer. Undefined
 * after it reported a name that is not shown, or a secret from `secrets:`. If that changed later, the text could not be written again,
 * because the shown secret is gone by then.
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
 * Returns the placeholder (hole) for a name in the `value` of `$secretTo`, such as `secret` or `id`, that the
 * platform shows when it creates an object of this kind; undefined if it does not show it. `apply` fills it
 * with the response to the creation. `id` is the id of the object, or of the ancestor that the secret gives
 * access to (`opens`).
 */
function holeFor(name: string, { kind, parent }: Block, address: Address): Ref | undefined {
  // `also`: other members of the response that contain the secret. `opens`: the kind of the ancestor to which it gives access.
  const { secret, also = [], opens } = kind.shows!;
  if (name === 'secret') return { $ref: address, attr: secret };
  if (also.includes(name)) return { $ref: address, attr: name };
  if (name !== 'id') return undefined;
  return { $ref: nearestOfKind(parent, opens)?.address ?? address, attr: 'id' };
}
