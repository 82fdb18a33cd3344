import { bootstrap } from '@vendure/core';
import { config } from './vendure-config.js';

void bootstrap(config);
