import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** An environment beside the three that every project has. */
export function customEnvironment(of: Attributes): StateReading {
  of.skip('team_id');
  const branchMatcher = of.inner('branch_tracking')?.renamed({ pattern: 'pattern', type: 'type' });
  const object = present({
    ...of.renamed({ description: 'description', id: 'id', name: 'slug' }),
    branchMatcher,
  });
  return of.reading([{ kind: 'customEnvironment', in: inProject(of), object }]);
}
