import { sweepCrashes } from './crash-sweep.ts';

sweepCrashes(1, 2);
