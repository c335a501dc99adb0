import type { Diagnostic, Position } from '../model/diagnostic.ts';
import { problem } from '../model/diagnostic.ts';
import type { Expand } from './expand.ts';
import { entryOf, type MapNode, maskNode, type Node } from './nodes.ts';
import { isRefusedEnv } from './refused-env.ts';
import { positionOf } from './source.ts';
import { hintFor, quoted } from './suggest.ts';

/** Where a secret comes from. Nothing is read before `resolveSecrets`. */
export type SecretSource = { at: Position } & ({ env: string } | { file: string } | { command: string[] });

const ways = ['env', 'file', 'command'];

/** The section `secrets:`; `names` holds those that are declared wrongly, too. `${var.x}` may stand in the name of a variable or file. */
export function readSecrets(
  section: Node,
  expand: Expand,
): { secrets: Map<string, SecretSource>; names: Set<string>; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const secrets = new Map<string, SecretSource>();
  const names = new Set<string>();
  if (section.type !== 'map') {
    maskNode(section);
    diagnostics.push(
      problem('config/type', '`secrets` takes a map of names', {
        at: positionOf(section.at),
        hint: 'secrets: { database: { env: DATABASE_URL } }',
      }),
    );
  } else
    for (const { key, value } of section.entries) {
      names.add(key.text);
      const found =
        value.type === 'map' ? sourceOf(value, expand) : 'a secret is `{ env }`, `{ file }` or `{ command }`';
      // Whoever gets this section wrong may have put the secret itself there.
      if (typeof found === 'string' || 'code' in found) maskNode(value);
      if (typeof found === 'string')
        diagnostics.push(
          problem('secret/source', found, { at: positionOf(key.at), hint: `${key.text}: { env: NAME }` }),
        );
      else if ('code' in found) diagnostics.push(found);
      else secrets.set(key.text, { at: positionOf(key.at), ...found });
    }
  return { secrets, names, diagnostics };
}

type Found = { env: string } | { file: string } | { command: string[] };

function sourceOf(map: MapNode, expand: Expand): Found | Diagnostic | string {
  const unknown = map.entries.find(({ key }) => !ways.includes(key.text));
  if (unknown)
    return problem('config/unknown-key', `a secret has no ${quoted(unknown.key.text)}`, {
      at: positionOf(unknown.key.at),
      hint: hintFor(unknown.key.text, ways),
    });
  const [entry, another] = map.entries;
  if (!entry || another) return 'a secret has one source: `env`, `file` or `command`';
  const texts = (entry.value.type === 'list' ? entry.value.items : [entry.value]).map((item) =>
    textOf(expand(item)),
  );
  if (texts.length === 0 || !texts.every((text) => text !== undefined))
    return `\`${entry.key.text}\` takes text`;
  if (entry.key.text === 'command')
    return entry.value.type === 'list'
      ? { command: texts }
      : problem('secret/command', '`command` takes a list: the program and its arguments', {
          at: positionOf(entry.value.at),
          hint: 'command: [op, read, "op://vault/item"]; no shell is involved',
        });
  if (entry.value.type === 'list') return `\`${entry.key.text}\` takes one name`;
  if (entry.key.text === 'file') return { file: texts[0]! };
  return isRefusedEnv(texts[0]!) ? refusedEnv(entryOf(map, 'env')!.value) : { env: texts[0]! };
}

/** Says that an environment variable may not be read. */
export const refusedEnv = (at: Node): Diagnostic =>
  problem('env/refused', 'this environment variable may not be read by a configuration', {
    at: positionOf(at.at),
    hint: 'TRUEUP_* and the tokens of CI systems are out of reach; give the value under another name',
  });

const textOf = (node: Node): string | undefined =>
  node.type === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined;
