import { type Diagnostic, type Position, problem } from '../../model/diagnostic.ts';
import { isOutOfReach, refusedEnv, sameEnv, shownSecret } from '../sources/env-verdict.ts';
import { type Asked, type Origin, secretEnv } from '../sources/verdict.ts';
import { hintFor, quoted } from '../suggest.ts';
import { entryOf, type MapNode, maskNode, type Node, type ScalarNode } from '../yaml/nodes.ts';
import { positionOf } from '../yaml/source.ts';
import type { Expand } from '../expressions/expand.ts';

/** The origin of a secret, and the file that names it. Nothing is read before `resolveSecrets`. */
export type SecretSource = { at: Position; folder: string } & Origin;

const ways = ['env', 'file', 'command'];

/** The section `secrets:`; `names` holds those that are declared wrongly, too. `${var.x}` may stand in the name of a variable or file. */
export function readSecrets(
  section: Node,
  expand: Expand,
): { secrets: Map<string, SecretSource>; names: Set<string>; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const secrets = new Map<string, SecretSource>();
  const names = new Set<string>();
  const own = new Map<string, ScalarNode>();
  if (section.type !== 'map') {
    maskNode(section);
    diagnostics.push(
      problem('config/type', '`secrets` takes a map of names', {
        at: positionOf(section.at),
        hint: 'secrets: { database: {} }',
      }),
    );
  } else
    for (const { key, value } of section.entries) {
      names.add(key.text);
      const found =
        value.type === 'map'
          ? sourceOf(key, value, expand)
          : 'a secret is `{}`, `{ env }`, `{ file }` or `{ command }`';
      const isOwn = value.type === 'map' && value.entries.length === 0;
      const twin = isOwn ? own.get(secretEnv(key.text)) : undefined;
      if (isOwn) own.set(secretEnv(key.text), twin ?? key);
      // Whoever gets this section wrong may have put the secret itself there.
      if (typeof found === 'string' || 'code' in found) maskNode(value);
      if (typeof found === 'string')
        diagnostics.push(
          problem('secret/source', found, {
            at: positionOf(key.at),
            hint: `${key.text}: {} is read from ${secretEnv(key.text)}`,
          }),
        );
      else if ('code' in found) diagnostics.push(found);
      else if (twin) diagnostics.push(sameEnv(secretEnv(key.text), key, twin));
      else secrets.set(key.text, { at: positionOf(key.at), folder: key.at.source.folder ?? '.', ...found });
    }
  return { secrets, names, diagnostics };
}

/** The environment variables that the section reads as it is written, in capitals: no variable may show them. */
export const secretEnvs = (section: Node | undefined): Set<string> =>
  new Set(
    (section?.type === 'map' ? section.entries : []).flatMap(({ value }) => {
      const env = value.type === 'map' ? entryOf(value, 'env')?.value : undefined;
      return env?.type === 'scalar' ? [env.text.trim().toUpperCase()] : [];
    }),
  );

function sourceOf(name: ScalarNode, map: MapNode, expand: Expand): Origin | Diagnostic | string {
  const unknown = map.entries.find(({ key }) => !ways.includes(key.text));
  if (unknown)
    return problem('config/unknown-key', `a secret has no ${quoted(unknown.key.text)}`, {
      at: positionOf(unknown.key.at),
      hint: hintFor(unknown.key.text, ways),
    });
  const [entry, another] = map.entries;
  if (!entry) return { env: secretEnv(name.text) };
  if (another) return 'a secret has one source: `env`, `file` or `command`';
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
  const why = isOutOfReach(texts[0]!, 'secret');
  return why === undefined ? { env: texts[0]! } : refusedEnv(entry.value, why);
}

const textOf = (node: Node): string | undefined =>
  node.type === 'scalar' && node.value !== null && node.text !== '' ? node.text : undefined;

/** Reports secrets that read what a variable shows, which is known only once variables have their values. */
export function shownSecrets(variables: Asked[], secrets: Map<string, SecretSource>): Diagnostic[] {
  const envs = new Set(
    [...secrets.values()].flatMap((one) => ('env' in one ? [one.env.trim().toUpperCase()] : [])),
  );
  return variables.flatMap(({ origin, at }) =>
    'env' in origin && envs.has(origin.env.trim().toUpperCase()) ? [shownSecret(origin.env, at)] : [],
  );
}
