import { type Finding, groupBy, lastNameOf, listFew, type View, type ViewedObject } from '#kind';
import { addressInProject, describeVariable, linkedProjects, type Variable } from './env-variables.ts';

/** The codes of the findings about names that conflict with others. */
export const conflictingNameCodes = ['env/case', 'env/hides-shared', 'env/system-name'];

/**
 * Finds names of variables that conflict with others. Everything works as it is, and some of it is meant so, so all findings are notes. The
 * schema of the kinds refuses the names that the platform reserves. `view`: tells whether a project turns system variables off.
 */
export function* findConflictingNames(variables: readonly Variable[], view: View): Iterable<Finding> {
  yield* findSystemNames(variables, view);
  yield* findSharedNames(variables);
  for (const group of groupBy(variables, caselessName).values()) {
    // The order of the view would decide which of two names is reported, and it changes with an apply.
    const named = group.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const [index, variable] of named.entries()) yield* findCaseTwin(variable, named.slice(0, index));
  }
}

/**
 * The variables that the platform sets itself. Source: documentation, System environment variables. `CI` is left out, because builds are
 * often told to ignore it.
 */
const systemNames = new Set(
  'VERCEL VERCEL_ENV VERCEL_TARGET_ENV VERCEL_URL VERCEL_BRANCH_URL VERCEL_PROJECT_PRODUCTION_URL VERCEL_REGION VERCEL_DEPLOYMENT_ID VERCEL_PROJECT_ID VERCEL_SKEW_PROTECTION_ENABLED VERCEL_AUTOMATION_BYPASS_SECRET VERCEL_OIDC_TOKEN VERCEL_GIT_PROVIDER VERCEL_GIT_REPO_SLUG VERCEL_GIT_REPO_OWNER VERCEL_GIT_REPO_ID VERCEL_GIT_COMMIT_REF VERCEL_GIT_COMMIT_SHA VERCEL_GIT_COMMIT_MESSAGE VERCEL_GIT_COMMIT_AUTHOR_LOGIN VERCEL_GIT_COMMIT_AUTHOR_NAME VERCEL_GIT_PREVIOUS_SHA VERCEL_GIT_PULL_REQUEST_ID'.split(
    ' ',
  ),
);

/** Reports declared variables with a name that the platform gives a value itself. A project can turn these values off. */
function* findSystemNames(variables: readonly Variable[], view: View): Iterable<Finding> {
  for (const variable of variables) {
    const { name, project, units } = variable;
    const declared = units.find(({ isDeclared }) => isDeclared);
    if (!declared || !systemNames.has(name)) continue;
    if (project !== undefined && view.at(project)?.fields.autoExposeSystemEnvs === false) continue;
    yield {
      code: 'env/system-name',
      severity: 'note',
      message: `${describeVariable(variable)} has the name of a variable that the platform sets itself; which value builds and functions see is not documented`,
      hint: 'choose another name, or set `autoExposeSystemEnvs: false` in the project',
      address: declared.address,
    };
  }
}

/**
 * Reports declared variables of projects that hide a shared one. Source: documentation, Shared environment variables: the project's
 * variable wins.
 */
function* findSharedNames(variables: readonly Variable[]): Iterable<Finding> {
  // The shared variables, by the address of a variable that hides them.
  const hiddenByAddress = new Map<string, ViewedObject>();
  for (const { project, units } of variables)
    for (const unit of project === undefined ? units : [])
      for (const linked of linkedProjects(unit.fields))
        hiddenByAddress.set(addressInProject(linked, unit.address), unit);
  if (hiddenByAddress.size === 0) return;
  for (const { name, project, units } of variables) {
    if (project === undefined) continue;
    const hidden = units.filter((unit) => unit.isDeclared && hiddenByAddress.has(unit.address));
    const [first] = hidden;
    if (!first) continue;
    yield {
      code: 'env/hides-shared',
      severity: 'note',
      message: `the shared variable ${name} has no effect in ${listFew(hidden.map(({ fields }) => String(fields.target)))} of ${project}, because the project has a variable of that name`,
      hint: 'remove one of them, or leave it if the project needs a value of its own',
      address: first.address,
      related: [{ message: 'the shared variable', address: hiddenByAddress.get(first.address)!.address }],
    };
  }
}

const caselessName = ({ name, project = '' }: Variable): string => `${project}\n${name.toLowerCase()}`;

/** Programs read the settings of proxies under names in lower and in upper case. */
const proxySettings = new Set(['http_proxy', 'https_proxy', 'ftp_proxy', 'all_proxy', 'no_proxy']);

/** Reports a declared variable if an earlier one in one of its places has the same name but for upper and lower case, and another value. */
function* findCaseTwin(variable: Variable, earlier: readonly Variable[]): Iterable<Finding> {
  if (proxySettings.has(variable.name.toLowerCase())) return;
  const earlierUnits = new Map<string, ViewedObject>();
  for (const unit of earlier.flatMap(({ units }) => units)) earlierUnits.set(placeOf(unit), unit);
  for (const unit of variable.units) {
    const twin = earlierUnits.get(placeOf(unit));
    if (!twin || !unit.isDeclared || twin.fields.value === unit.fields.value) continue;
    yield {
      code: 'env/case',
      severity: 'note',
      message: `${describeVariable(variable)} and ${String(twin.fields.key)} differ only in upper and lower case: Linux keeps two variables, and Windows one`,
      hint: 'remove one of them, or rename it',
      address: unit.address,
      related: [{ message: 'the other name', address: twin.address }],
    };
    return;
  }
}

/** Returns the place in the address of a variable's place: `production`, `preview:BRANCH`. */
const placeOf = ({ address }: ViewedObject): string => {
  const unit = lastNameOf(address);
  return unit.slice(unit.indexOf('@') + 1);
};
