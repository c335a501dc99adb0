/**
 * Reads the domains of projects that a plan leaves out. A plan reads only those of declared projects, so alone it cannot tell whether
 * another project serves a name that it points to the platform.
 *
 *   | step                                                        | requests                 | decides                                  |
 *   | ----------------------------------------------------------- | ------------------------ | ---------------------------------------- |
 *   | names that the plan points to the platform, or whose domain | none                     | none left: nothing is read               |
 *   | it deletes, and that no project of the plan serves          |                          |                                          |
 *   | the alias of each, unless there are many                    | one for each name        | a name with an alias is served           |
 *   | the list of projects, unless the plan has it, and the       | one, and one for each    | all others, unless there are too many    |
 *   | domains of each project whose domains it did not read       | project                  | projects                                 |
 */
import {
  type ApiObject,
  escapeName,
  isPlainObject,
  type PlanViews,
  type Send,
  type View,
  type ViewedChange,
} from '#kind';
import { OtherHosts } from './hosts.ts';
import { dnsOf } from './routes.ts';
import { canJudgeHosts, unservedNames } from './takeover.ts';
import { absoluteName } from './zones.ts';

/** The most requests for a plan, apart from further pages of the list of projects. */
const mostRequests = 100;
/** The most names whose aliases are read first. */
const mostNames = 10;

/**
 * Returns the views of a plan with the hosts of all projects, if its findings depend on them. A failed read is not an error: it leaves that
 * open.
 */
export async function readHosts(
  views: PlanViews,
  changes: readonly ViewedChange[],
  send: Send,
): Promise<PlanViews> {
  // A configuration that was not read can declare any host, so reading the account decides nothing.
  const names = views.after.besides === 'unread' ? [] : suspiciousNames(views, changes);
  if (names.length === 0) return views;
  try {
    if (names.length <= mostNames) {
      const haveAlias = await Promise.all(names.map((name) => hasAlias(name, send)));
      if (haveAlias.every(Boolean)) return views;
    }
    const more = await readOthers(views, mostRequests - 1 - Math.min(names.length, mostNames), send);
    return more ? { before: { ...views.before, more }, after: { ...views.after, more } } : views;
  } catch {
    return views;
  }
}

/** Returns the names that a plan leaves pointing to the platform unserved, as far as it has read projects. */
function suspiciousNames({ before, after }: PlanViews, changes: readonly ViewedChange[]): string[] {
  const pointed = new Set(
    changes
      .filter(({ action, paths }) => action === 'create' || paths.length > 0)
      .map(({ address }) => address),
  );
  const dns = dnsOf(after);
  const servedBefore = dnsOf(before).hosts.ofProjects;
  return [...dns.zones.values()]
    .filter((zone) => zone.knowledge === 'all' && !canJudgeHosts(dns, zone))
    .flatMap((zone) => [...unservedNames(dns, zone)])
    .filter(({ name, set }) => pointed.has(set.address) || servedBefore.has(name))
    .map(({ name }) => name);
}

/** Returns whether a deployment is served under a name. A domain of a project has an alias as soon as it has a deployment. */
const hasAlias = (name: string, send: Send): Promise<boolean> =>
  send({ endpoint: 'GET /v4/aliases/{id}', params: { id: name } }).then(
    (answer) => isPlainObject(answer) && answer.alias === name,
    () => false,
  );

/** Returns the hosts of the projects that a plan has not read; undefined if there are more of these than `most`. */
async function readOthers(views: PlanViews, most: number, send: Send): Promise<OtherHosts | undefined> {
  const projects: readonly ApiObject[] =
    views.before.knows('project') === 'all'
      ? views.before.ofKind('project').map(({ fields }) => fields)
      : rowsIn(await send({ endpoint: 'GET /v10/projects', items: 'projects' }));
  const unreadProjects = projects.filter(({ name }) => !isRead(views.before, String(name)));
  if (unreadProjects.length > most) return undefined;
  const lists = await Promise.all(
    unreadProjects.map(({ name }) =>
      send({
        endpoint: 'GET /v9/projects/{project}/domains',
        params: { project: String(name) },
        items: 'domains',
      }),
    ),
  );
  // What the plan itself does with a host is in the views.
  const knownHosts = dnsOf(views.before).hosts.ofProjects;
  const hosts = lists.flatMap(rowsIn).flatMap(({ name }) => nameOf(name));
  return new OtherHosts(
    hosts.filter((host) => !knownHosts.has(host)),
    unreadProjects.flatMap(({ previewDeploymentSuffix }) => nameOf(previewDeploymentSuffix)),
  );
}

const isRead = (view: View, project: string): boolean =>
  view.knows('projectDomain', `projects/${escapeName(project)}`) === 'all';

const nameOf = (name: unknown): string[] => (typeof name === 'string' ? [absoluteName(name)] : []);

/** Returns the rows of a list. Throws if the answer is none, so that nothing is concluded from it. */
function rowsIn(answer: unknown): ApiObject[] {
  if (!Array.isArray(answer) || !answer.every(isPlainObject)) throw new Error('the response is not a list');
  return answer;
}
