import { mount } from 'svelte';
import Checkout from './Checkout.svelte';

const target = document.getElementById('app');
if (target) mount(Checkout, { target });
