import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

type Json = Record<string, unknown>;

/** A plan of `terraform show -json`, as far as its structure is looked at. */
export interface TerraformDocument extends Json {
  resource_changes?: (Json & { change: Json & { actions: string[] } })[];
}

const folder = resolve('../shared/reference/terraform-json');
export const hasReference = existsSync(folder);
export const reference = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Plans that the real binary once made. */
export const recorded = (): TerraformDocument[] =>
  ['create', 'delete', 'destroy', 'errored', 'mixed', 'noop', 'replace', 'tainted', 'target', 'update'].map(
    (name) => JSON.parse(reference(`tfplan-${name}.json`)),
  );

export function hasTerraform(): boolean {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Plans that the binary on the PATH makes now: of a first apply, of changes of every sort after it, and of nothing to do. */
export function madeNow(): TerraformDocument[] {
  const cwd = mkdtempSync(join(tmpdir(), 'trueup-terraform-'));
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' };
  const run = (...args: string[]) =>
    execFileSync('terraform', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const planOf = (...blocks: string[]): TerraformDocument => {
    writeFileSync(join(cwd, 'main.tf'), blocks.join('\n'));
    run('plan', '-input=false', '-out=plan');
    return JSON.parse(run('show', '-json', 'plan'));
  };
  const data = (name: string, body: string) => `resource "terraform_data" "${name}" {\n${body}\n}`;
  const each = data('each', 'for_each = toset(["p/q"])\ninput = terraform_data.kept.id');
  try {
    writeFileSync(join(cwd, 'main.tf'), '');
    run('init', '-input=false');
    const created = planOf(
      data('kept', 'input = { a = ["x"] }'),
      data('changed', 'input = 1'),
      data('replaced', 'triggers_replace = ["a"]'),
      data('deleted', 'input = "x"'),
      each,
    );
    run('apply', '-input=false', 'plan');
    const changed = planOf(
      data('kept', 'input = { a = ["x"] }'),
      data('changed', 'input = 2'),
      data('replaced', 'triggers_replace = ["b"]'),
      each,
      data('imported', ''),
      'import {\n to = terraform_data.imported\n id = "x"\n}',
    );
    run('apply', '-input=false', 'plan');
    writeFileSync(join(cwd, 'plan'), '');
    return [created, changed];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

const typeOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** An object as its members and their types. */
const structureOf = (value: Json): Map<string, string> =>
  new Map(Object.entries(value).map(([name, member]) => [name, typeOf(member)]));

/**
 * In what objects of ours are built otherwise than all of theirs: a member that none of theirs has, or that all of theirs
 * have and ours not, or of another type, or in another order. `own`: the members that are meant to be only ours.
 */
export function deviations(ours: Json, theirs: Json[], own: string[] = []): string[] {
  const mine = structureOf(ours);
  const known = theirs.map(structureOf);
  const names = [...mine.keys()].filter((name) => !own.includes(name));
  const orders = new Set(known.flatMap((one) => pairs([...one.keys()])));
  return [
    ...names.filter((name) => !known.some((one) => one.has(name))).map((name) => `${name}: they have none`),
    ...[...(known[0]?.keys() ?? [])]
      .filter((name) => known.every((one) => one.has(name)) && !mine.has(name))
      .map((name) => `${name}: all of them have it`),
    ...names
      .filter(
        (name) =>
          known.some((one) => one.has(name)) && !known.some((one) => one.get(name) === mine.get(name)),
      )
      .map((name) => `${name}: is ${mine.get(name)}, theirs never`),
    ...pairs(names)
      .filter((pair) => orders.has(pair.split(' ').reverse().join(' ')))
      .map((pair) => `${pair}: the other way round`),
  ];
}

/** Each two names in their order. */
const pairs = (names: string[]): string[] =>
  names.flatMap((name, at) => names.slice(at + 1).map((later) => `${name} ${later}`));

/** All resource changes with these actions. */
export const withActions = (documents: TerraformDocument[], actions: string[], isImport: boolean) =>
  documents
    .flatMap(({ resource_changes = [] }) => resource_changes)
    .filter(
      ({ mode, change }) =>
        mode === 'managed' && change.actions.join() === actions.join() && 'importing' in change === isImport,
    );
