import {
  type Clash,
  type Fields,
  groupBy,
  isRef,
  revealed,
  type Sibling,
  type SiblingCollection,
  type Value,
} from '#kind';
import { suffixOf } from './env-var-units.ts';

/** The most variables of one environment, and the most bytes of all names and values of one deployment. Source: documentation, Limits. */
const mostVariables = 1000;
const mostBytes = 64 * 1024;

/**
 * Warns about environments of a project with more than 1,000 variables, and about those whose deployments would get more than 64 KB of
 * names and values, before the platform refuses them. The variables of a branch count apart, but its deployments also get those of preview.
 */
export function checkEnvLimits(variables: Sibling[], { parent, objectsOf }: SiblingCollection): Clash[] {
  const byPlace = groupBy(variables, ({ fields }) => suffixOf(fields));
  const linkedToProject = objectsOf('sharedEnvVar').filter(({ fields }) => isLinkedTo(parent, fields));
  return [...byPlace].flatMap(([place, inPlace]): Clash[] => {
    const { target, gitBranch } = inPlace[0]!.fields;
    const linked = linkedToProject.filter(({ fields }) => isIn(target, fields));
    const ofPreview = gitBranch ? [...linked, ...(byPlace.get('preview') ?? [])] : [];
    // The warning about preview is enough for all its branches. Development has no deployments.
    const isReported = target === 'development' || sumOf(sizesOf(ofPreview)) > mostBytes;
    const sizes = isReported ? [] : sizesOf([...linked, ...ofPreview, ...inPlace]);
    const bytes = sumOf(sizes);
    const tooMany: Clash = {
      severity: 'warning',
      addresses: inPlace.map(({ address }) => address).reverse(),
      message: `${parent} would have ${inPlace.length} variables in ${place}; the platform allows ${mostVariables} in an environment`,
      hint: 'remove variables, or put several values into one',
    };
    const tooLarge: Clash = {
      severity: 'warning',
      addresses: sizes.sort((a, b) => b.size - a.size).map(({ address }) => address),
      message: `deployments of ${parent} for ${place} would get variables of about ${Math.ceil(bytes / 1024)} KB, with shared ones; the platform allows 64 KB`,
      hint: 'remove variables, or let the application read large values from elsewhere',
    };
    return [...(inPlace.length > mostVariables ? [tooMany] : []), ...(bytes > mostBytes ? [tooLarge] : [])];
  });
}

/** True if a shared variable is linked to a project. */
const isLinkedTo = (project: string | undefined, { projectId }: Fields): boolean =>
  ((projectId ?? []) as unknown[]).some((link) => isRef(link) && link.$ref === project);

/** True if a shared variable is available in a target; without `target`, if it is in all custom environments. */
const isIn = (target: Value | undefined, shared: Fields): boolean =>
  target === undefined ? shared.applyToAllCustomEnvironments === true : shared.target === target;

/** The bytes of the name and the value of a variable. */
interface VariableSize {
  address: string;
  size: number;
}

/**
 * Returns the sizes of the variables that a deployment gets, to sum them and to name the largest. Of variables with one name it gets the
 * last one. A value that cannot be read counts nothing.
 */
function sizesOf(variables: Sibling[]): VariableSize[] {
  const sizes = new Map<string, VariableSize>();
  for (const { address, fields } of variables) {
    const [name, value] = [String(fields.key), revealed(fields.value)];
    const size = Buffer.byteLength(typeof value === 'string' ? name + value : name);
    sizes.set(name, { address, size });
  }
  return [...sizes.values()];
}

const sumOf = (sizes: VariableSize[]): number => sizes.reduce((sum, { size }) => sum + size, 0);
