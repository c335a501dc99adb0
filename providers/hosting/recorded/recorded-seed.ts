/*
 * The account before a recording, as far as the recording shows it: teams that requests name, projects and domains under whose paths
 * requests succeeded or that lists show, and the variables, domains and DNS records in lists. Objects that the recording itself creates are
 * left out.
 */
import type { RecordedExchange } from '#kind';
import { type Row, toRow, toRows, toTexts } from '../facts/observed.ts';
import type { Seed } from '../twin/index.ts';
import { RecordedObjects, type SeededObject } from './recorded-objects.ts';
import { findRecordedTeams, type SeededTeam } from './recorded-teams.ts';
import { withoutRefused } from './without-refused.ts';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
const isSuccess = ({ status }: RecordedExchange) => status >= 200 && status < 300;
const isRead = ({ operation }: RecordedExchange) => operation.startsWith('GET ');
/** Returns the path of an operation without its version, because clients use several: `projects/{idOrName}/env`. */
const pathOf = ({ operation }: RecordedExchange) => operation.replace(/^\S+ \/(v\d+\/)?/, '');
const isCreation = ({ operation }: RecordedExchange) => /^(POST|PUT) /.test(operation);

/** Calls `note` for each id and each name in a value. */
function visitNames(value: unknown, note: (text: string, isId: boolean) => void): void {
  if (Array.isArray(value)) for (const item of value) visitNames(item, note);
  else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      if (/^(id|uid|name)$/.test(member) && typeof inner === 'string') note(inner, member !== 'name');
      else visitNames(inner, note);
    }
  }
}

/** The operations that create an object which lists show without an id, or which later requests name. */
const namedCreation = /^POST \/v\d+\/(projects|domains|projects\/\{idOrName\}\/domains)$/;

/**
 * Returns the name of a domain in a project for the sets of `createdNames`. It differs from that of the account's domain, because a domain
 * that the account has had before can be added to a project.
 */
const nameInProject = (domain: string): string => `${domain} in a project`;

/**
 * Returns the ids and names of the objects that a recording creates, by which they are recognised in lists. An object that an earlier
 * exchange shows was there before, although the answer to a request that only changes it has its id, too: `POST /projects/{id}/link`.
 */
function createdNames(successes: readonly RecordedExchange[]): Set<string> {
  const created = new Set<string>();
  const shown = new Set<string>();
  for (const exchange of successes) {
    const { operation, params, sent, body } = exchange;
    const isOfProjectDomain = pathOf(exchange).startsWith('projects/{idOrName}/domains');
    const toUniqueName = (name: string) => (isOfProjectDomain ? nameInProject(name) : name);
    for (const [parameter, value] of [...Object.entries(params), ...Object.entries(exchange.query)])
      shown.add(parameter === 'domain' ? toUniqueName(value) : value);
    const { name } = toRow(sent);
    if (namedCreation.test(operation) && typeof name === 'string' && !shown.has(toUniqueName(name)))
      created.add(toUniqueName(name));
    visitNames(body, (text, isId) => {
      if (isId && isCreation(exchange) && !shown.has(text)) created.add(text);
      shown.add(isId ? text : toUniqueName(text));
    });
  }
  return created;
}

/** Returns the team that a request is about: the one that it names, or the only one of the recording. */
const ownerOf = ({ query }: RecordedExchange, teams: readonly SeededTeam[]): string | undefined =>
  query.teamId || query.slug || (teams.length === 1 ? (teams[0]!.id ?? teams[0]!.slug) : undefined);

/** Returns a variable of a list as a seed has it; undefined for one in a custom environment, which the seed would need as well. */
function seedOfVariable({ key, type, target, gitBranch, customEnvironmentIds }: Row): Row | undefined {
  if (Array.isArray(customEnvironmentIds) && customEnvironmentIds.length > 0) return undefined;
  const branch = textOf(gitBranch);
  return { key, value: 'recorded', type, target: toTexts(target), ...(branch && { gitBranch: branch }) };
}

const seedOfRecord = ({ id, type, name, value, ttl, mxPriority, creator }: Row): Row => ({
  id,
  type,
  name,
  value,
  creator,
  ...(typeof ttl === 'number' && { ttl }),
  ...(typeof mxPriority === 'number' && { mxPriority }),
});

/**
 * The lists whose objects a seed can have inside a project or a domain: the operation, the member of the answer, and the field of the seed.
 */
const lists = [
  { path: 'projects/{idOrName}/env', member: 'envs', field: 'env', toSeed: seedOfVariable },
  {
    path: 'projects/{idOrName}/domains',
    member: 'domains',
    field: 'domains',
    toSeed: ({ name }: Row) => (String(name).endsWith('.vercel.app') ? undefined : { name }),
  },
  { path: 'domains/{domain}/records', member: 'records', field: 'records', toSeed: seedOfRecord },
];

/** Returns the objects in a list of variables, domains or records that existed before the recording, as a seed has them. */
function innerOf(exchange: RecordedExchange, created: ReadonlySet<string>) {
  const list = isRead(exchange) ? lists.find(({ path }) => path === pathOf(exchange)) : undefined;
  if (list === undefined) return undefined;
  const rows = toRows(toRow(exchange.body)[list.member]).filter(
    // Only domains in projects have no id.
    ({ id, uid, name }) => !created.has(String(id ?? uid ?? nameInProject(String(name)))),
  );
  const seeds = rows.map(list.toSeed).filter((seed): seed is Row => seed !== undefined);
  return seeds.length > 0 ? { field: list.field, seeds } : undefined;
}

/**
 * Returns the objects of a list after one more of its answers, such as a further page. An object that came before stays as it was, because
 * later answers may show changes of the recording itself.
 */
function addNewSeeds(earlier: readonly Row[], seeds: readonly Row[]): Row[] {
  const identityOf = ({ id, key, name, type, target, gitBranch }: Row) =>
    JSON.stringify(id === undefined ? [key, name, type, target, gitBranch] : id);
  const earlierIdentities = new Set(earlier.map(identityOf));
  return [...earlier, ...seeds.filter((seed) => !earlierIdentities.has(identityOf(seed)))];
}

/** The projects and domains that a recording shows. */
interface SeededParents {
  projects: RecordedObjects;
  domains: RecordedObjects;
}

const namesIn = ({ id, name }: Row) => ({ id: textOf(id), name: textOf(name) });

/** Adds a domain as an answer shows it. Only a bought one has settings at the registrar. */
function addListedDomain({ name, boughtAt }: Row, { domains }: SeededParents, owner?: string): void {
  const domain = name === undefined ? undefined : domains.add({ name: textOf(name) }, owner);
  if (domain && typeof boughtAt === 'number') domain.members = { boughtAt };
}

/** Adds the projects or domains of an answer that shows them. */
function addListed(exchange: RecordedExchange, parents: SeededParents, owner?: string): void {
  if (!isRead(exchange)) return;
  const path = pathOf(exchange);
  const { projects, domains } = toRow(exchange.body);
  if (path === 'projects') for (const row of toRows(projects)) parents.projects.add(namesIn(row), owner);
  if (path === 'domains') for (const row of toRows(domains)) addListedDomain(row, parents, owner);
  if (path === 'domains/{domain}') addListedDomain(toRow(toRow(exchange.body).domain), parents, owner);
}

/** Returns the id or the name of the project that a request is about, or both if the answer has them; undefined if it is about none. */
function projectIn(
  exchange: RecordedExchange,
): { id?: string | undefined; name?: string | undefined } | undefined {
  const { params, query, body } = exchange;
  const path = pathOf(exchange);
  if (isRead(exchange) && path === 'projects/{idOrName}') return namesIn(toRow(body));
  const idOrName = path.startsWith('projects/{') ? Object.values(params)[0] : query.projectId;
  if (idOrName === undefined) return undefined;
  return idOrName.startsWith('prj_') ? { id: idOrName } : { name: idOrName };
}

/**
 * Adds the domain or the project that a request is about, and returns it. Returns undefined if it is about none, or if the recording
 * creates it.
 */
function addParent(
  exchange: RecordedExchange,
  { projects, domains }: SeededParents,
  owner?: string,
): SeededObject | undefined {
  const path = pathOf(exchange);
  // The configuration of a domain can be read for any domain, also for one that is elsewhere.
  if (path.startsWith('domains/{domain}') && !path.endsWith('/config'))
    return domains.add({ name: exchange.params.domain }, owner);
  const project = projectIn(exchange);
  return project && projects.add(project, owner);
}

/**
 * Returns the seed for a twin on which a recording is replayed. Objects that the twin refuses are left out, because a recording shows only
 * parts of an account.
 */
export function recordedSeed(exchanges: readonly RecordedExchange[]): Seed {
  const successes = exchanges.filter(isSuccess);
  const created = createdNames(successes);
  const teams = findRecordedTeams(successes).filter(({ id }) => id === undefined || !created.has(id));
  const parents = { projects: new RecordedObjects(created), domains: new RecordedObjects(created) };
  for (const exchange of successes) {
    const owner = ownerOf(exchange, teams);
    addListed(exchange, parents, owner);
    const parent = addParent(exchange, parents, owner);
    const inner = innerOf(exchange, created);
    if (parent && inner)
      parent.inner[inner.field] = addNewSeeds(parent.inner[inner.field] ?? [], inner.seeds);
  }
  return withoutRefused({
    teams,
    projects: parents.projects.toSeed('project'),
    domains: parents.domains.toSeed('domain'),
  } as unknown as Seed);
}
