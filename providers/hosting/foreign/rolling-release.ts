import type { StateReading } from '#kind';
import type { Attributes } from './attributes.ts';
import { inProject } from './project.ts';

export function rollingRelease(of: Attributes): StateReading {
  of.skip('id', 'team_id');
  const isManual = of.text('advancement_type') === 'manual-approval';
  const stages = of.items('stages').map((stage) => ({
    ...stage.renamed({ duration: 'duration', target_percentage: 'targetPercentage' }),
    requireApproval: isManual,
  }));
  stages.forEach((stage) => {
    // What a manual one waits for is somebody; the last of them waits for nothing.
    if ((stage as { targetPercentage?: number }).targetPercentage === 100) stage.requireApproval = false;
  });
  return of.reading([{ kind: 'rollingRelease', in: inProject(of), object: { stages } }]);
}
