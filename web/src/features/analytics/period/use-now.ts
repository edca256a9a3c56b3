import { useState } from 'react'

/** The moment at which a part of the screen was opened: what it shows must not move while one looks. */
export const useNow = () => useState(() => Date.now())[0]
