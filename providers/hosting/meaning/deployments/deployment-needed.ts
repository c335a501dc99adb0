import { type ChangeCheck, type Finding, groupBy, listFew, type View, type ViewedChanges } from '#kind';
import { findWaitingChanges, type WaitingChange } from './find-waiting-changes.ts';

const code = 'deployment/needed';

/**
 * Finds projects whose deployments do not get the changes of a plan, because a deployment keeps the variables and settings that it was
 * built with. A note, because the plan is right, and the next push may deploy the project anyway. Left out: projects that the plan
 * redeploys, and projects without deployments. The account after the plan tells which deployment visitors get; if it does not, nothing is
 * reported.
 */
function* findNeededDeployments(plan: ViewedChanges, after: View): Iterable<Finding> {
  const redeployed = new Set(
    plan.actions.flatMap(({ action, about }) => (action === 'redeploy' ? about : [])),
  );
  const created = new Set(
    plan.changes.flatMap(({ action, address }) => (action === 'create' ? address : [])),
  );
  for (const [project, waiting] of findWaitingChanges(plan.changes, after)) {
    const { facts = {}, isDeclared = false } = after.at(project) ?? {};
    const { 'targets.production.id': served, 'latestDeployments.0.id': latest } = facts;
    if (redeployed.has(project) || (served === undefined && latest === undefined)) continue;
    const live = typeof served === 'string' && !getsDeployment(project, created, after) ? served : undefined;
    const concerned = waiting.filter(
      ({ places }) => live !== undefined || places.some((place) => place !== 'production'),
    );
    if (concerned.length > 0)
      yield toFinding(project, isDeclared ? concerned : concerned.map(withoutBlock), live);
  }
}

/** Returns a waiting change of a project that has no block which could get a `$then`, such as when its stack is destroyed. */
const withoutBlock = ({ section: _, ...waiting }: WaitingChange): WaitingChange => waiting;

/** True if a plan creates a deployment of a project for production. It comes after the variables. */
const getsDeployment = (project: string, created: ReadonlySet<string>, after: View): boolean =>
  after
    .under(project, 'deployment')
    .some(({ address, fields }) => created.has(address) && fields.target === 'production');

/**
 * Returns the finding about the changes that wait in a project. `live`: the id of the deployment that visitors get, if it stays without
 * them.
 */
function toFinding(project: string, waiting: readonly WaitingChange[], live: string | undefined): Finding {
  const places = new Set(waiting.flatMap((change) => change.places));
  const isProductionOld = live !== undefined && places.has('production');
  const production = isProductionOld ? [`the production deployment of ${project} (${live})`] : [];
  const nonProduction = otherDeployments(places);
  const isOne = isProductionOld && nonProduction.length === 0;
  const changed = namesOf(waiting.filter(({ isNew }) => !isNew));
  const added = namesOf(waiting.filter(({ isNew }) => isNew)).filter((name) => !changed.includes(name));
  const parts = [
    ...(changed.length > 0 ? [`${isOne ? 'keeps' : 'keep'} the old ${listFew(changed)}`] : []),
    ...(added.length > 0 ? [`${isOne ? 'lacks' : 'lack'} the new ${listFew(added)}`] : []),
  ];
  const subject = [...production, ...nonProduction].join(' and ');
  return {
    code,
    severity: 'note',
    message: `${isProductionOld ? '' : `${project}: `}${subject} ${parts.join(' and ')}: changes of variables and build settings wait for the next deployment`,
    hint: isProductionOld ? hintFor(project, waiting) : previewHint,
    address: project,
    related: firstPlaces(waiting).map(({ address }) => ({ message: 'waits for a deployment', address })),
  };
}

/** Returns the deployments beside that of production which the account may have in these places. */
function otherDeployments(places: ReadonlySet<string>): string[] {
  const placeNames = [...places];
  const slugs = placeNames.flatMap((place) =>
    place.startsWith('custom:') ? place.slice('custom:'.length) : [],
  );
  const custom = slugs.length > 0 ? slugs.sort().join(', ') : 'custom environments';
  const hasPreview = placeNames.some((place) => place === 'preview' || place.startsWith('preview:'));
  return [
    ...(hasPreview ? ['existing preview deployments'] : []),
    ...(slugs.length > 0 || places.has('custom') ? [`existing deployments of ${custom}`] : []),
  ];
}

const previewHint =
  'push to their branches, or deploy them again; `$then` rebuilds only what production serves';

/** Returns advice to deploy the changes, with the `$then` that would do so. Its builds reach visitors, so the hint says so. */
function hintFor(project: string, waiting: readonly WaitingChange[]): string {
  const sections = [...new Set(waiting.flatMap(({ section = [] }) => section))];
  const shared = [...new Set(waiting.flatMap(({ sharedBlock = [] }) => sharedBlock))];
  const advice = [
    ...(sections.length > 0
      ? [`\`$then: [{ redeploy: { target: production }, when: [${sections.join(', ')}] }]\` to ${project}`]
      : []),
    ...(shared.length > 0
      ? [`\`$then: [{ redeploy: { project: [${project}] } }]\` to ${shared.join(', ')}`]
      : []),
  ];
  const once = `deploy once: \`trueup run redeploy ${project}\``;
  return advice.length > 0
    ? `add ${advice.join(' and ')}, so that visitors get such changes as soon as they are built; or ${once}`
    : `${once}; visitors get it as soon as it is built`;
}

const namesOf = (waiting: readonly WaitingChange[]): string[] => [
  ...new Set(waiting.map(({ name }) => name)),
];

/** Returns one change for each variable and setting: its first place. */
const firstPlaces = (waiting: readonly WaitingChange[]): WaitingChange[] =>
  [...groupBy(waiting, ({ name }) => name).values()].map(([first]) => first!);

/** The check of changes that take effect only with another deployment. */
export const changesWithoutDeployment: ChangeCheck = { codes: [code], find: findNeededDeployments };
