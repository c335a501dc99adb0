import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { render } from '../../src/config/render/render.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { companyOf, instancesOf } from '../support/company.ts';
import { compareTime } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn } from './measure.ts';
import { withWorkplace } from './workplace.ts';

/** A configuration with templates, against the same one as `render` prints it or as people would write it. */
export const templates: Comparison = {
  name: 'templates',
  description:
    'a company of 60 sites by a template against its rendered text, and 100,000 instances against written ones',
  measure: async () => {
    const validating = async (ours: string, theirs: string, runs: number) =>
      withWorkplace(ours, async (place) => {
        writeFileSync(join(place.folder, 'theirs.yaml'), theirs);
        return inTurn(
          () => place.run('validate'),
          () => place.run('validate', '-f', 'theirs.yaml'),
          runs,
        );
      });
    const company = companyOf(60);
    const kinds = kindsOf(hosting.kinds);
    const rendered = render(await load({ kinds, cwd: '/', env: {}, text: company }));
    return [
      compareTime(
        'validate of 60 sites of one template, against the rendered text',
        await validating(company, rendered, 5),
        { target: 2 },
      ),
      compareTime(
        'validate of 50,000 instances of 2 resources, against as many written blocks',
        await validating(instancesOf(50_000, 'template'), instancesOf(50_000, 'written'), 3),
        { target: 1.5 },
      ),
    ];
  },
};
