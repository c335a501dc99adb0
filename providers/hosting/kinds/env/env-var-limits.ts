import {
  type Clash,
  type Fields,
  groupBy,
  isRef,
  revealed,
  type Sibling,
  type SiblingCollection,
} from '#kind';
import { suffixOf } from './env-var-units.ts';

/** The most variables of one environment, and the most bytes of all names and values of one deployment. Source: documentation, Limits. */
const mostVariables = 1000;
const mostBytes = 64 * 1024;

/**
 * Warns about environments of a project with more than 1,000 variables, and about those whose deployments would get more than 64 KB of names and
 * values, before the platform refuses them. The variables of a branch count apart, but its deployments also get those of preview.
 */
export function checkEnvLimits(variables: Sibling[], { parent, objectsOf }: SiblingCollection): Clash[] {
  const byPlace = groupBy(variables, ({ fields }) => suffixOf(fields));
  return [...byPlace].flatMap(([place, inPlace]): Clash[] => {
    const { fields } = inPlace[0]!;
    const ofPreview = fields.gitBranch ? (byPlace.get('preview') ?? []) : [];
    const linked = objectsOf('sharedEnvVar').filter((shared) => isIn(shared.fields, fields, parent));
    const deployed = [...linked, ...ofPreview, ...inPlace];
    const bytes = fields.target === 'development' ? 0 : countBytes(deployed);
    const addressesOf = (siblings: Sibling[]) => siblings.map(({ address }) => address).reverse();
    const tooMany: Clash = {
      severity: 'warning',
      addresses: addressesOf(inPlace),
      message: `${parent} would have ${inPlace.length} variables in ${place}; the platform allows ${mostVariables} in an environment`,
      hint: 'remove variables, or put several values into one',
    };
    const tooLarge: Clash = {
      severity: 'warning',
      addresses: addressesOf(deployed),
      message: `deployments of ${parent} for ${place} would get variables of about ${Math.ceil(bytes / 1024)} KB, with shared ones; the platform allows 64 KB`,
      hint: 'remove variables, or let the application read large values from elsewhere',
    };
    return [...(inPlace.length > mostVariables ? [tooMany] : []), ...(bytes > mostBytes ? [tooLarge] : [])];
  });
}

/** True if a shared variable is linked to the project, and available in the place (target or custom environment) of a project's variable. */
function isIn(shared: Fields, { target }: Fields, project: string | undefined): boolean {
  const isLinked = ((shared.projectId ?? []) as unknown[]).some(
    (link) => isRef(link) && link.$ref === project,
  );
  return (
    isLinked &&
    (target === undefined ? shared.applyToAllCustomEnvironments === true : shared.target === target)
  );
}

/**
 * Returns the bytes of names and values. Of variables with one name, the last one counts, since it replaces the others. A value that cannot be read
 * counts nothing.
 */
function countBytes(variables: Sibling[]): number {
  const sizes = new Map<string, number>();
  for (const { fields } of variables) {
    const [name, value] = [String(fields.key), revealed(fields.value)];
    sizes.set(name, Buffer.byteLength(typeof value === 'string' ? name + value : name));
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
