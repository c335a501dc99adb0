import { catalog } from '../../providers/hosting/catalog.ts';
import { extraOperations } from '../../providers/hosting/extra-operations.ts';
import type { Resource } from '../../providers/hosting/twin/resource.ts';
import { nameOf } from '../../providers/hosting/twin/tables.ts';
import type { Kind } from '../../src/kind/kind.ts';
import { operationOf } from '../../src/manual/coverage.ts';
import { requestsOf } from '../../src/manual/kind-requests.ts';
import { others } from '../support/every-seed.ts';
import { type Finding, type Given, kebab } from './given.ts';

const known = [...catalog, ...extraOperations];
const byPath = new Map(known.map((one) => [`${one.method} ${one.path}`, nameOf(one)]));

/** All operations that a resource of the twin serves, those outside the published catalog included. */
const operationNames = ({ operations, clientOperations }: Resource) =>
  Object.keys({ ...operations, ...clientOperations });

/** The names of the operations that a kind makes, with their endpoints. */
const operationsOf = (kind: Kind): Map<string, string> =>
  new Map(
    requestsOf(kind).flatMap(({ endpoint }) => {
      const operation = operationOf(endpoint, known);
      return operation ? [[byPath.get(`${operation.method} ${operation.path}`)!, endpoint] as const] : [];
    }),
  );

const twinFile = (kind: Kind, { files }: Given): string =>
  files.get(kind.name)?.replace('/kinds/', '/twin/') ??
  `providers/hosting/twin/<area>/${kebab(kind.name)}.ts`;

/** The operations of a kind that the twin does not serve. */
export function twinFindings(kind: Kind, given: Given): string[] {
  const wanted = operationsOf(kind);
  const served = new Set(given.resources.flatMap(operationNames));
  const lacking = [...wanted].filter(([name]) => !served.has(name));
  if (lacking.length > 0 && lacking.length === wanted.size)
    return [
      `the twin has no resource for it: none of its operations is served. Declare one in ${twinFile(kind, given)}`,
    ];
  return lacking.map(
    ([name, endpoint]) =>
      `the twin does not serve \`${endpoint}\`: its resource has no \`${name}\` in \`operations\``,
  );
}

/** The kinds whose operations a resource serves. */
const kindsOfResource = (resource: Resource, { kinds }: Given): Kind[] =>
  kinds.filter((kind) =>
    [...operationsOf(kind).keys()].some((name) => operationNames(resource).includes(name)),
  );

/** Fields of the twin's seed that no sample gives anything. */
export function seedFindings(given: Given): Finding[] {
  const seeds = [others, ...Object.values(given.samples).flatMap(({ seed }) => seed ?? [])];
  // The frame that samples are put in.
  const frame = new Set(['account projects', 'account domains', 'project featureFlags']);
  return given.resources.flatMap((resource) =>
    Object.entries(resource.seed ?? {}).flatMap(([place, fields]) =>
      Object.keys(fields)
        .filter((field) => !frame.has(`${place} ${field}`))
        .filter((field) => !seeds.some((seed) => field in ((seed as Record<string, object>)[place] ?? {})))
        .map((field) => {
          const [kind] = kindsOfResource(resource, given);
          const what = `the twin's seed has \`${field}\`, of which no sample has one:`;
          return kind
            ? {
                kind: kind.name,
                message: `${what} give test/samples/${kebab(kind.name)}.ts \`seed: { ${place}: { ${field}: ... } }\``,
              }
            : { kind: 'no kind', message: `${what} put it into \`others\` of test/support/every-seed.ts` };
        }),
    ),
  );
}

/** Describes operations that the twin serves and no test asked for. Used to tell the author of a kind which request is missing. */
export function untriedFindings(untried: string[], given: Given): Finding[] {
  return untried.map((name) => {
    const { kind, endpoint } = servedFor(name, given);
    const what = `nothing asks the twin for \`${endpoint}\` (\`${name}\`):`;
    return kind
      ? { kind, message: `${what} give \`requests\` in test/samples/${kebab(kind)}.ts a good one` }
      : { kind: 'no kind', message: `${what} give test/twin/every-operation.ts a good one` };
  });
}

/** Describes answers of the twin that the public SDK rejects. Used to tell the author of a kind that the twin has another form. */
export const rejectedFindings = (rejected: [operation: string, reason: string][], given: Given): Finding[] =>
  rejected.map(([name, reason]) => {
    const { kind = 'no kind', endpoint } = servedFor(name, given);
    return {
      kind,
      message: `the public SDK rejects the twin's answer to \`${endpoint}\` (\`${name}\`) at ${reason}. Answer as the SDK's types say; if the SDK is wrong, add the reason to \`misread\` in test/sdk/answer-schemas.ts`,
    };
  });

/** Finds the kind whose resource in the twin serves an operation, and the operation's endpoint. */
function servedFor(name: string, given: Given): { kind?: string; endpoint: string } {
  const operation = known.find((candidate) => nameOf(candidate) === name);
  const resource = given.resources.find((candidate) => operationNames(candidate).includes(name));
  return {
    kind: resource && kindsOfResource(resource, given)[0]?.name,
    endpoint: `${operation?.method} ${operation?.path}`,
  };
}
