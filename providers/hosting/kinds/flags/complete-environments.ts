import { type Alignment, type Fields, isPlainObject, problem } from '#kind';

// Every creator of a flag writes all of them, the platform's own tools included.
const system = ['production', 'preview', 'development'];
const needed = ['active', 'pausedOutcome', 'fallthrough'];

type Environments = Record<string, Fields>;
const environmentsOf = ({ environments }: Fields) =>
  (isPlainObject(environments) ? environments : {}) as Environments;

/**
 * Adds empty `rules` to the environments that a flag does not have yet, because a new environment is sent whole. Reports other
 * missing members, and built-in environments that a new flag leaves out. Called before the comparison with the live flag.
 */
export function completeEnvironments({ desired, live }: Alignment): {
  desired: Fields;
  problems: ReturnType<typeof problem>[];
} {
  const { fields, address, at } = desired;
  // Another slug or kind is another flag.
  const isSame = live?.fields.slug === fields.slug && live?.fields.kind === fields.kind;
  const environments = live && isSame ? environmentsOf(live.fields) : {};
  const wanted = environmentsOf(fields);
  const fresh = Object.keys(wanted).filter((name) => environments[name] === undefined);
  const missing = [
    ...(isSame ? [] : system.filter((name) => wanted[name] === undefined)),
    ...fresh.flatMap((name) =>
      needed.filter((member) => wanted[name]![member] === undefined).map((member) => `${name}.${member}`),
    ),
  ];
  const complete = Object.fromEntries(fresh.map((name) => [name, { rules: [], ...wanted[name] }]));
  return {
    desired: fresh.length === 0 ? fields : { ...fields, environments: { ...wanted, ...complete } },
    problems: missing.map((path) =>
      problem('flag/incomplete', `${address} would be created, but \`environments.${path}\` is missing`, {
        address,
        at,
        hint: `a new flag needs ${needed.map((member) => `\`${member}\``).join(', ')} in each of ${system.join(', ')}`,
      }),
    ),
  };
}
