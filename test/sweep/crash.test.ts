import { sweepCrashes } from './crash-sweep.ts';

sweepCrashes(0, 2);
