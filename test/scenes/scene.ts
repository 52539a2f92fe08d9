import type { Page } from '@playwright/test'

/** A picture, and how to come to what it shows. */
export type Scene = [name: string, go: (page: Page) => Promise<void>]
