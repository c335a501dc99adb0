import type { Account } from '../../providers/hosting/twin/index.ts';

// What differs between two ways to the same account: ids, times, versions and what is made at random.
const incidental =
  /^(id|uid|made|lastTime|requests)$|Id$|Ids$|At$|^created|^updated|^version|^key$|^etag$|^revision$|^seed$|^digest$|^s3Key$|^lastModified$|^secret$|^token$|^partialToken$|^versions$|^history$|^projectKey$|^hashKey$|^partialKeyValue$|^lastFourChars$/;

/** Ids that people write, so that they do not differ. */
const written = /^(connectorId|configId|channelId)$/;

/** An account as people would describe it: equal for equal content, however it came about. */
export function accountShape(account: Account): unknown {
  const names = new Map(account.projects.map(({ id, name }) => [id, name]));
  return shape(withSwitches(JSON.parse(withNamedSecrets(account))), names);
}

/** The account with settings that only times show as what they mean: a time differs, and whether there is one does not. */
const withSwitches = ({ projects, ...account }: Account) => ({
  ...account,
  projects: projects.map((project) => ({
    ...project,
    switches: {
      observability: project.observabilityDisabledAt === null,
      crons: !(project.crons as { disabledAt?: number | null } | undefined)?.disabledAt,
      speedInsights: isOn(project.speedInsights),
      webAnalytics: isOn(project.webAnalytics),
    },
  })),
});

/** True if a measurement is on: it was switched on last. */
export const isOn = (insights: Account['projects'][number]['speedInsights']): boolean =>
  insights !== null && (insights.enabledAt ?? 0) > (insights.disabledAt ?? 0);

/** The account as JSON, with a name for each secret that is shown once: a variable with it differs only if it has another one. */
function withNamedSecrets({ globalConfigs, webhooks, ...account }: Account): string {
  const named = [
    ...globalConfigs.flatMap(({ id, slug, tokens }) => [
      [id, `global config ${slug}`] as const,
      ...tokens.map(({ label, token }) => [token, `token ${label}`] as const),
    ]),
    ...webhooks.map(({ url, secret }) => [secret, `secret of ${url}`] as const),
    ...account.projects.flatMap(({ name: project, deployHooks }) =>
      deployHooks.map(({ url, name }) => [url, `URL of ${project} ${name}`] as const),
    ),
  ];
  return named.reduce(
    (json, [text, name]) => json.replaceAll(text, name),
    JSON.stringify({ globalConfigs, webhooks, ...account }),
  );
}

/** Where two values differ, in words: for a report that can be read. */
export function differences(found: unknown, expected: unknown, at = ''): string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
  if (a === b) return [];
  const isNode = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null;
  if (!isNode(found) || !isNode(expected)) return [`${at}: ${a?.slice(0, 200)}, not ${b?.slice(0, 200)}`];
  const names = [...new Set([...Object.keys(found), ...Object.keys(expected)])];
  return names.flatMap((name) => differences(found[name], expected[name], `${at}.${name}`));
}

/** The same of any value. `names`: of projects, by their ids: what is kept by the one is kept by the other. */
export function shape(given: unknown, names: ReadonlyMap<string, string> = new Map()): unknown {
  const value = withoutMade(given);
  if (Array.isArray(value))
    return value.map((one) => shape(one, names)).sort((a, b) => (text(a) < text(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .filter(([name]) => written.test(name) || !incidental.test(name))
    .map(([name, item]) => [names.get(name) ?? name, shape(item, names)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of versions the live one counts, without its name; what is kept by a secret is a list. */
function withoutMade(value: unknown): unknown {
  if (Array.isArray(value) && value.some((one) => isObject(one) && 'isLive' in one))
    return value.filter((one) => isObject(one) && one.isLive).map(({ name: _, ...one }) => one);
  if (!isObject(value) || !isObject(value.protectionBypass)) return value;
  // A variable that has the secret of a bypass has the same one in every account.
  const bypasses = Object.entries(value.protectionBypass);
  const named = (given: string) =>
    bypasses.reduce((told, [secret], index) => told.replaceAll(secret, `(bypass ${index})`), given);
  const env = Array.isArray(value.env)
    ? value.env.map((row) =>
        isObject(row) && typeof row.value === 'string' ? { ...row, value: named(row.value) } : row,
      )
    : value.env;
  return { ...value, env, protectionBypass: bypasses.map(([, bypass]) => bypass) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown) => JSON.stringify(value);
