import { compareCpu, compareMemory, compareTime } from './compare-samples.ts';
import type { Comparison } from './comparison.ts';
import { inTurn, measured } from './measure.ts';
import { mixedStack, stackOf } from './stacks.ts';
import { TerraformFolder, terraformVersion } from './terraform.ts';
import { withWorkplace } from './workplace.ts';

const missingTerraform = () =>
  terraformVersion() === undefined ? 'there is no `terraform` on the PATH' : undefined;

/** Compares plans without changes of so many resources. `memoryTarget`: of the memory, if that is compared as well. */
export const unchangedPlan = (resources: number, target: number, memoryTarget?: number): Comparison => ({
  name: `plan-${resources}`,
  description: `a plan without changes of ${resources} resources through HTTP, against Terraform with as many blocks and no HTTP`,
  missing: missingTerraform,
  measure: () =>
    withWorkplace(mixedStack(resources), async (place) => {
      await place.apply();
      const terraform = new TerraformFolder(resources).applied();
      const theirs = () => measured(terraform.command('plan', '-input=false', '-lock=false'));
      const pairs = await inTurn(place.plan, theirs, resources > 1000 ? 5 : 9);
      terraform.remove();
      const what = `plan of ${resources} unchanged resources, against Terraform`;
      return [
        compareTime(what, pairs, { target }),
        compareCpu(what, pairs, {}),
        ...(memoryTarget === undefined ? [] : compareMemory(what, pairs, { target: memoryTarget })),
      ];
    }),
});

export const creation: Comparison = {
  name: 'apply',
  description:
    'an apply of 1,000 new resources through HTTP, against Terraform with as many blocks and no HTTP',
  missing: missingTerraform,
  measure: () =>
    withWorkplace(
      stackOf({ projects: 100, variables: 5, rules: 1, records: 100, domains: 3 }),
      async (place) => {
        const terraform = new TerraformFolder(1000);
        const ours = async () => {
          await place.begin();
          return place.apply();
        };
        const theirs = () => measured(terraform.empty().command('apply', '-auto-approve', '-input=false'));
        const pairs = await inTurn(ours, theirs, 3);
        terraform.remove();
        return [compareTime('apply of 1,000 new resources, against Terraform', pairs, { target: 1 / 2 })];
      },
    ),
};
